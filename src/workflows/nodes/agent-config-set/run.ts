import { isObject } from '../../../lib/json/json.js';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { edgeOf, orError } from '../edge/edge-of.js';
import { keyedPairs, tagPairs } from '../resources/tag-pairs.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.variant(
    'configSourceMethod',
    {
      individualFields: setting.group({ configSource: tagPairs }),
      payloadPath: setting.group({ configSource: setting.required(setting.path) }),
      jsonTemplate: setting.group({ configSource: setting.required(setting.json) }),
    },
    'individualFields',
  ),
  setting.group({ resultPath: setting.target }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const edge = edgeOf(path);
    const values = valuesOf(config, payload.data);
    const change = async () => {
      edge.changeSettings(values);
      return { success: true };
    };
    config.resultPath(payload, await orError(change, (error) => ({ success: false, error })));
    return undefined;
  },
};

function valuesOf(config: Settings, data: unknown): Readonly<Record<string, unknown>> {
  if (config.configSourceMethod === 'individualFields')
    return Object.fromEntries(keyedPairs(config.configSource, data).map(({ key, value }) => [key, value]));
  const values = config.configSource(data);
  if (!isObject(values)) throw invalidSetting('configSource', 'must be an object');
  return values;
}
