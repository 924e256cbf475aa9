import type { NodeRun } from '../../engine/node-run.js';
import { edgeOf } from '../edge/edge-of.js';
import * as setting from '../settings.js';

const settings = setting.group({
  getAll: setting.flag(),
  keyTemplate: setting.requiredTemplate,
  resultPath: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => (path) => {
    const { payload } = path;
    const key = config.getAll ? '.' : config.keyTemplate(payload.data);
    config.resultPath(payload, { key, value: edgeOf(path).setting(key) });
    return undefined;
  },
};
