import { isObject } from '../../../lib/json/json.js';
import type { TlsSettings } from '../../../lib/http/safe-http.js';
import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';

/** Configuration of a `SqlNode`. */
export const settings = setting.all(
  setting.group({
    credentialNameTemplate: setting.optional(setting.template),
    systemTemplate: setting.requiredTemplate,
    hostTemplate: setting.requiredTemplate,
    portTemplate: setting.number(),
    userTemplate: setting.requiredTemplate,
    passwordTemplate: setting.template,
    databaseTemplate: setting.template,
    query: setting.requiredTemplate,
    sslOn: setting.flag(),
    resultPath: setting.target,
  }),
  setting.pathOr(setting.json, 'sslDataMethod', 'sslDataTemplate'),
);

export type SqlSettings = setting.Read<typeof settings>;

/** Returns the TLS settings of a value, with members as in Node. Throws a `RunFault` for other values. */
export function tlsOf(value: unknown): TlsSettings {
  const isValid =
    isObject(value) &&
    ['ca', 'cert', 'key'].every((name) => ['string', 'undefined'].includes(typeof value[name]));
  if (!isValid) throw invalidSetting('sslDataTemplate', 'must be an object with certificates as texts');
  const { ca, cert, key, rejectUnauthorized } = value as TlsSettings;
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(rejectUnauthorized === false && { rejectUnauthorized }),
  };
}
