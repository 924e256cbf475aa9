import { setTimeout as wait } from 'node:timers/promises';
import type { NodeRun } from '../../engine/node-run.js';
import { numberWithin } from '../run-values.js';
import * as setting from '../settings.js';

/** Longest delay on the platform, which is also the longest run. Devices can wait longer. */
const MAX_SECONDS = 60;

const settings = setting.group({ delay: setting.number() });

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ delay }) =>
    ({ payload, run: { signal } }) => {
      const seconds = numberWithin(delay(payload.data), 'delay', 0, MAX_SECONDS);
      return wait(seconds * 1_000, undefined, { signal });
    },
};
