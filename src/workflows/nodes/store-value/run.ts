import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { actorOf, storageKey } from '../run-values.js';
import * as setting from '../settings.js';

const amount = setting.group({ value: setting.number() });

const settings = setting.all(
  setting.group({ keyName: storageKey, resultPath: setting.target }),
  setting.variant('valueType', {
    template: setting.group({ value: setting.template }),
    json: setting.group({ value: setting.json }),
    number: amount,
    path: setting.group({ valuePath: setting.optional(setting.path), value: setting.required(setting.path) }),
    incr: amount,
    decr: amount,
    clear: setting.group({}),
  }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    config.resultPath(path.payload, await store(config, path));
    return undefined;
  },
};

/** Changes the storage and returns the result: the new value, or the previous one of a key that is cleared. */
async function store(config: Settings, path: RunPath): Promise<unknown> {
  const { data } = path.payload;
  const { storage } = path.run.ports;
  const actor = actorOf(path);
  const key = config.keyName(data);
  switch (config.valueType) {
    case 'clear':
      return storage.set(actor, key, undefined);
    case 'incr':
      return storage.add(actor, key, numeric(config.value(data)));
    case 'decr':
      return storage.add(actor, key, -numeric(config.value(data)));
    case 'number':
      return stored(numeric(config.value(data)));
    case 'path':
      return stored((config.valuePath ?? config.value)(data));
    default:
      return stored(config.value(data));
  }

  async function stored(value: unknown): Promise<unknown> {
    await storage.set(actor, key, value);
    return value;
  }
}

function numeric(value: number): number {
  if (Number.isFinite(value)) return value;
  throw invalidSetting('value', 'must be a number');
}
