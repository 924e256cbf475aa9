import type { NodeRun } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import * as setting from '../settings.js';

const settings = setting.group({ messageTemplate: setting.requiredTemplate });

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ messageTemplate }) =>
    ({ payload }) => {
      throw new RunFault('ThrowErrorNodeError', messageTemplate(payload.data));
    },
};
