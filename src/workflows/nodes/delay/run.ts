import { setTimeout as wait } from 'node:timers/promises';
import type { NodeRun } from '../../engine/node-run.js';
import { numberWithin } from '../run-values.js';
import * as setting from '../settings.js';

/** Longest delay on the platform, which is also the longest run, and on edge devices, which is that of a timer. */
const MAX_SECONDS = 60;
const MAX_EDGE_SECONDS = 2_147_483;

const settings = setting.group({ delay: setting.number() });

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ delay }) =>
    ({ payload, run: { ports, signal } }) => {
      const max = ports.edge ? MAX_EDGE_SECONDS : MAX_SECONDS;
      const seconds = numberWithin(delay(payload.data), 'delay', 0, max);
      return wait(seconds * 1_000, undefined, { signal });
    },
};
