import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { actorOf, storageKey } from '../run-values.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    keyName: storageKey,
    valuePath: setting.required(setting.target),
    getAll: setting.flag(),
  }),
  setting.formed('defaultValueType', 'defaultValue', 'template', 'json', 'path'),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    config.valuePath(path.payload, await read(config, path));
    return undefined;
  },
};

/** Returns the stored value, or all of them, or the default if nothing is stored. */
async function read({ getAll, keyName, defaultValue }: Settings, path: RunPath): Promise<unknown> {
  const { data } = path.payload;
  const { storage } = path.run.ports;
  if (getAll) {
    const values = await storage.all(actorOf(path));
    return defaultValue && Object.keys(values).length === 0 ? defaultValue(data) : values;
  }
  const value = await storage.get(actorOf(path), keyName(data));
  return value === undefined ? defaultValue?.(data) : value;
}
