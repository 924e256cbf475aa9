import jwt from 'jsonwebtoken';
import { isObject } from '../../../lib/json/json.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';
import { openedCredential } from '../credentials.js';
import { errorObject, exchange } from '../http-services.js';
import * as setting from '../settings.js';

const HOST = 'pubsub.googleapis.com';
const TOKEN_SECONDS = 300;
const MAX_ATTRIBUTES = 100;
const ID = /^[\w.~+%:-]{1,255}$/;

const settings = setting.all(
  setting.group({
    integrationId: setting.text,
    credentialNameTemplate: setting.optional(setting.template),
    topicTemplate: setting.requiredTemplate,
    projectIdTemplate: setting.template,
    dataMethod: setting.word('stringTemplate', 'payloadPath'),
    dataTemplate: setting.template,
    dataPayloadPath: setting.path,
    attrMethod: setting.word('individualFields', 'jsonTemplate', 'payloadPath'),
    attrFields: setting.list(
      setting.group({ name: setting.template, value: setting.template }),
      MAX_ATTRIBUTES,
    ),
    attrTemplate: setting.optional(setting.json),
    attrPayloadPath: setting.path,
    resultPath: setting.target,
  }),
  setting.pathOr(setting.template, 'jwtDataMethod', 'jwtDataTemplate'),
);

type PublishSettings = setting.Read<typeof settings>;

/** Key file of a service account. */
interface ServiceAccount {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id?: string;
  readonly project_id?: string;
}

export const run: NodeRun<PublishSettings> = {
  settings,
  prepare: (config) => async (path) => {
    if (config.integrationId !== '')
      throw new RunFault('NotAvailable', 'This platform has no connector for messages of integrations');
    const { data } = path.payload;
    const account = await accountOf(config, path);
    const project = config.projectIdTemplate(data) || (account.project_id ?? '');
    const topic = config.topicTemplate(data);
    if (!ID.test(project)) throw invalidSetting('projectIdTemplate', 'must be the ID of a project');
    if (!ID.test(topic)) throw invalidSetting('topicTemplate', 'must be the name of a topic');
    const call = {
      url: `https://${HOST}/v1/projects/${encodeURIComponent(project)}/topics/${encodeURIComponent(topic)}:publish`,
      method: 'POST',
      headers: { authorization: `Bearer ${bearerOf(account)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [messageOf(config, data)] }),
    } as const;
    try {
      const { body } = await exchange(path, call);
      const { messageIds = [] } = JSON.parse(body.toString('utf8')) as { messageIds?: string[] };
      config.resultPath(path.payload, { success: true, messageId: messageIds[0] });
    } catch (error) {
      config.resultPath(path.payload, { success: false, ...errorObject(error) });
    }
    return undefined;
  },
};

async function accountOf(config: PublishSettings, path: RunPath): Promise<ServiceAccount> {
  const { data } = path.payload;
  const { credentialNameTemplate, jwtDataTemplate } = config;
  const text = credentialNameTemplate
    ? (await openedCredential(path, credentialNameTemplate(data), 'gcp')).keyJson
    : jwtDataTemplate?.(data);
  const key = isObject(text) ? text : parsed(text);
  if (typeof key?.client_email !== 'string' || typeof key.private_key !== 'string')
    throw invalidSetting('jwtDataTemplate', 'must be the key of a service account');
  return key as unknown as ServiceAccount;
}

/** The message of an error of JSON would contain a part of the key. */
function parsed(text: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a token that the account signs itself, which spares the request for another one. */
function bearerOf({ client_email: email, private_key: key, private_key_id: keyid }: ServiceAccount): string {
  try {
    return jwt.sign({}, key, {
      algorithm: 'RS256',
      audience: `https://${HOST}/`,
      issuer: email,
      subject: email,
      expiresIn: TOKEN_SECONDS,
      ...(typeof keyid === 'string' && { keyid }),
    });
  } catch {
    throw invalidSetting('jwtDataTemplate', 'has no valid private key');
  }
}

function messageOf(config: PublishSettings, data: unknown): object {
  const content =
    config.dataMethod === 'payloadPath' ? config.dataPayloadPath(data) : config.dataTemplate(data);
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
  return { data: Buffer.from(text).toString('base64'), attributes: attributesOf(config, data) };
}

function attributesOf(config: PublishSettings, data: unknown): object {
  const given =
    config.attrMethod === 'individualFields'
      ? Object.fromEntries(config.attrFields.map(({ name, value }) => [name(data), value(data)]))
      : config.attrMethod === 'payloadPath'
        ? config.attrPayloadPath(data)
        : config.attrTemplate?.(data);
  if (given === undefined) return {};
  if (!isObject(given)) throw invalidSetting('attrTemplate', 'must be an object');
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}
