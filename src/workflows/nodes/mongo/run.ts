import { MONGO_METHODS, type MongoRequest, type MongoServer } from '../../connectors/services.js';
import { MAX_PAYLOAD_BYTES } from '../../engine/limits.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';
import { fitsJson } from '../../engine/size.js';
import { openedCredential } from '../credentials.js';
import { answerPaths, SERVICE_TIMEOUT_MS, writeAnswer } from '../service-answers.js';
import * as setting from '../settings.js';

const MAX_ARGUMENTS = 10;

const argument = setting.formed('valueType', 'value', 'json', 'template', 'path');

const settings = setting.all(
  setting.group({
    credentialNameTemplate: setting.optional(setting.template),
    mongoUriTemplate: setting.requiredTemplate,
    collectionNameTemplate: setting.requiredTemplate,
    mongoMethod: setting.word(...MONGO_METHODS),
    mongoArgs: setting.list(argument, MAX_ARGUMENTS),
  }),
  answerPaths,
);

type MongoSettings = setting.Read<typeof settings>;

export const run: NodeRun<MongoSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const request = requestOf(config, payload.data);
    const server = await serverOf(config, path);
    const call = { connector: 'mongodb', server, request, timeoutMs: SERVICE_TIMEOUT_MS } as const;
    return writeAnswer(config, payload, run.ports.connectors.call(run, call, run.signal));
  },
};

function requestOf(config: MongoSettings, data: unknown): MongoRequest {
  const args = config.mongoArgs.map(({ value }) => value?.(data));
  if (!fitsJson(args, MAX_PAYLOAD_BYTES))
    throw new RunFault('PayloadTooLarge', `mongoArgs must not exceed ${MAX_PAYLOAD_BYTES} bytes`);
  return { collection: config.collectionNameTemplate(data), method: config.mongoMethod, args };
}

async function serverOf(config: MongoSettings, path: RunPath): Promise<MongoServer> {
  const { data } = path.payload;
  if (!config.credentialNameTemplate) return withPassword(config.mongoUriTemplate(data));
  const { connectionUri } = await openedCredential(path, config.credentialNameTemplate(data), 'mongodb');
  return withPassword(connectionUri as string);
}

/** Finds the password in a connection string. */
function withPassword(uri: string): MongoServer {
  const [, password = ''] = /^[^/]*:\/\/[^:/?#]*:([^/?#]*)@/.exec(uri) ?? [];
  return { uri, password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
