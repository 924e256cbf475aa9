import * as setting from '../settings.js';

const MAX_FIELDS = 100;

/** Body as text, and as a JSON document. */
const bodyTemplate = (raw: unknown, at: string) => ({
  text: setting.template(raw, at),
  json: setting.jsonText(raw, at),
});

/** Configuration of an `HttpNode`. The time-out is in seconds. */
export const settings = setting.group({
  method: setting.word('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
  uriTemplate: setting.requiredTemplate,
  bodyType: setting.word('string', 'none', 'jsonTemplate', 'urlencoded', 'multipart', 'url', 'diskPath'),
  bodyTemplate,
  bodyFields: setting.list(
    setting.group({ keyTemplate: setting.template, valueTemplate: setting.template }),
    MAX_FIELDS,
  ),
  headerInfo: setting.list(setting.group({ key: setting.text, valueTemplate: setting.template }), MAX_FIELDS),
  authType: setting.word('none', 'basic', 'credential', 'clientCert'),
  authCredentials: setting.group({
    usernameTemplate: setting.template,
    passwordTemplate: setting.template,
    keyTemplate: setting.template,
    certTemplate: setting.template,
  }),
  credentialNameTemplate: setting.requiredTemplate,
  encodingTemplate: setting.template,
  requestEncodingTemplate: setting.template,
  timeoutTemplate: setting.number(30),
  disableSSLVerification: setting.flag(),
  caCertTemplate: setting.template,
  disableRedirects: setting.flag(),
  responsePath: setting.target,
  errorBehavior: setting.word('throw', 'payloadPath'),
  errorPath: setting.target,
});

export type HttpSettings = setting.Read<typeof settings>;
