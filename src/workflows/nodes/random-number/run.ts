import { randomInt } from 'node:crypto';
import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

/** Largest range that integers are drawn from, which is that of the generator. */
const MAX_RANGE = 2 ** 48 - 1;

const settings = setting.group({
  min: setting.number(0),
  max: setting.number(100),
  resultPath: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ min, max, resultPath }) =>
    ({ payload }) => {
      const least = Math.ceil(min(payload.data));
      const most = Math.floor(max(payload.data));
      resultPath(payload, draw(least, most));
      return undefined;
    },
};

/** Returns a random integer from `least` to `most`, or `null` if the range is empty or too large. */
function draw(least: number, most: number): number | null {
  const isRange = Number.isSafeInteger(least) && Number.isSafeInteger(most) && least <= most;
  if (!isRange || most - least >= MAX_RANGE) return null;
  return randomInt(least, most + 1);
}
