import { END, type NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const settings = setting.group({
  shouldBreak: setting.flag(),
  mapValuePath: setting.optional(setting.path),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: ({ shouldBreak, mapValuePath: result }) => {
    const branch = shouldBreak ? 1 : 0;
    return ({ payload, control }) => {
      control.endRound({ payload, branch, result });
      return END;
    };
  },
};
