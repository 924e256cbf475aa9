import type { RedisRequest, RedisServer } from '../../connectors/services.js';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { answerPaths, SERVICE_TIMEOUT_MS, writeAnswer } from '../service-answers.js';
import { portOf } from '../service-servers.js';
import * as setting from '../settings.js';

const MAX_ARGUMENTS = 10_000;
const MAX_MEMBERS = 25;
const DEFAULT_PORT = 6379;

const address = { host: setting.requiredTemplate, port: setting.number(DEFAULT_PORT) };

const settings = setting.all(
  setting.group({
    ...address,
    dbNumber: setting.number(0),
    isCluster: setting.flag(),
    clusterMembers: setting.list(setting.group(address), MAX_MEMBERS),
    username: setting.template,
    password: setting.template,
    tlsOn: setting.flag(),
    caCertTemplate: setting.template,
    command: setting.requiredTemplate,
    arguments: setting.list(setting.template, MAX_ARGUMENTS),
    argumentsPath: setting.optional(setting.path),
  }),
  answerPaths,
);

type RedisSettings = setting.Read<typeof settings>;

export const run: NodeRun<RedisSettings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, run } = path;
    const server = serverOf(config, payload.data);
    const request: RedisRequest = {
      command: config.command(payload.data),
      args: argumentsOf(config, payload.data),
    };
    const call = { connector: 'redis', server, request, timeoutMs: SERVICE_TIMEOUT_MS } as const;
    return writeAnswer(config, payload, run.ports.connectors.call(run, call, run.signal));
  },
};

function serverOf(config: RedisSettings, data: unknown): RedisServer {
  const { isCluster, clusterMembers, dbNumber, tlsOn } = config;
  const ca = config.caCertTemplate(data);
  const addressOf = (from: Pick<RedisSettings, 'host' | 'port'>) => ({
    host: from.host(data),
    port: portOf(from.port(data), 'port'),
  });
  const database = dbNumber(data);
  if (!Number.isInteger(database) || database < 0)
    throw invalidSetting('dbNumber', 'must be the number of a database');
  return {
    ...(isCluster ? { host: '', port: 0, cluster: clusterMembers.map(addressOf) } : addressOf(config)),
    database,
    username: config.username(data),
    password: config.password(data),
    ...(tlsOn && { tls: ca === '' ? {} : { ca } }),
  };
}

function argumentsOf({ argumentsPath, ...config }: RedisSettings, data: unknown): string[] {
  if (!argumentsPath) return config.arguments.map((render) => render(data));
  const given = argumentsPath(data);
  if (!Array.isArray(given) || given.length > MAX_ARGUMENTS)
    throw invalidSetting('argumentsPath', `must be an array of at most ${MAX_ARGUMENTS} values`);
  return given.map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')));
}
