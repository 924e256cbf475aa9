import { END, type NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const settings = setting.group({
  /** Output by which the caller continues, 0 or 1. */
  branchIndexTemplate: setting.number(0),
  resultSourcePath: setting.path,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ branchIndexTemplate, resultSourcePath: result }) =>
    ({ payload, control }) => {
      control.endCall({ payload, result, branch: branchIndexTemplate(payload.data) === 1 ? 1 : 0 });
      return END;
    },
};
