import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';
import { callApi } from '../resources/call-api.js';

const MAX_PARAMETERS = 100;

const name = setting.group({ name: setting.text });

const settings = setting.group({
  resource: setting.text,
  action: setting.text,
  params: setting.list(
    setting.all(name, setting.formed('type', 'value', 'string', 'json', 'path')),
    MAX_PARAMETERS,
  ),
  responsePath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ resource, action, params, responsePath }) =>
    async (path) => {
      const given = params.map((param) => [param.name, param.value?.(path.payload.data)] as const);
      const parameters = Object.fromEntries(given.filter(([name, value]) => name !== '' && value !== ''));
      responsePath(path.payload, await callApi(path, `${resource}.${action}`, parameters));
      return undefined;
    },
};
