import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const settings = setting.group({ expression: setting.required(setting.expression) });

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ expression }) =>
    ({ payload }) =>
      expression(payload.data) ? 1 : 0,
};
