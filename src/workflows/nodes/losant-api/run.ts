import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';
import { actorOf } from '../run-values.js';

const MAX_PARAMETERS = 100;

const name = setting.group({ name: setting.text });

const settings = setting.group({
  resource: setting.text,
  action: setting.text,
  params: setting.list(
    setting.all(name, setting.formed('type', 'value', 'string', 'json', 'path')),
    MAX_PARAMETERS,
  ),
  /** Caller of the operation; the workflow if blank. */
  apiTokenTemplate: setting.template,
  /** Application that the operation concerns; that of the workflow if blank. Another one needs a token. */
  applicationIdTemplate: setting.template,
  responsePath: setting.target,
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ resource, action, params, apiTokenTemplate, applicationIdTemplate, responsePath }) =>
    async (path) => {
      const { payload, run } = path;
      const given = params.map((param) => [param.name, param.value?.(payload.data)] as const);
      const { applicationId: ofParams = '', ...parameters } = Object.fromEntries(
        given.filter(([name, value]) => name !== '' && value !== ''),
      );
      const token = apiTokenTemplate(payload.data).trim();
      // Imported workflows can have the ID of the application that they were exported from.
      const ofToken =
        token === '' ? {} : { token, ...(ofParams !== '' && { applicationId: String(ofParams) }) };
      const applicationId = applicationIdTemplate(payload.data).trim();
      const actor = { ...actorOf(path), ...ofToken, ...(applicationId !== '' && { applicationId }) };
      responsePath(payload, await run.ports.api.call(actor, `${resource}.${action}`, parameters));
      return undefined;
    },
};
