import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const settings = setting.group({
  source: setting.required(setting.path),
  destination: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ source, destination }) =>
    ({ payload }) => {
      destination(payload, JSON.stringify(source(payload.data)));
      return undefined;
    },
};
