import type { NodeRun } from '../../engine/node-run.js';
import { edgeOf } from '../edge/edge-of.js';
import { encoding } from '../encodings.js';
import { keyedPairs, tagPairs } from '../resources/tag-pairs.js';
import * as setting from '../settings.js';

const settings = setting.group({
  commandTemplate: setting.requiredTemplate,
  cwdTemplate: setting.template,
  encodingTemplate: setting.template,
  envsTemplate: tagPairs,
  detached: setting.flag(),
  resultPath: setting.target,
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const { data } = payload;
    const variables = keyedPairs(config.envsTemplate, data).map(({ key, value }) => [key, value] as const);
    const command = {
      command: config.commandTemplate(data),
      directory: config.cwdTemplate(data) || undefined,
      variables: Object.fromEntries(variables),
      encoding: encoding(config.encodingTemplate(data), 'encodingTemplate'),
      isDetached: config.detached,
    };
    const { error, ...result } = await edgeOf(path).execute(command, run.signal);
    config.resultPath(payload, {
      ...result,
      ...(error === undefined ? {} : { error: { type: 'EXECUTE_ERROR', message: error } }),
    });
    return undefined;
  },
};
