import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createApp } from './app.js';
import { ConfigError, loadConfig, type Config } from './config/config.js';
import { MqttServer } from './broker/listeners/mqtt-server.js';
import { entities } from './families.js';
import { prepareDatabase } from './first-start.js';
import { createDataSource } from './platform/database/data-source.js';
import { loadTokenKey } from './lib/crypto/keys.js';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { Engine } from './modules/engine/delivery/engine.js';
import { JobsProcessor } from './platform/jobs/jobs.processor.js';
import { startPrivateRedis } from './platform/jobs/private-redis.js';
import { pingRedis } from './platform/jobs/redis.js';
import { closeDataFolder, dataDirError } from './lib/processes/data-folder.js';
import type { PrivateServer } from './lib/processes/server-supervisor.js';
import { probePorts } from './lib/processes/ports.js';
import { Metrics } from './platform/probes/metrics.js';
import { serveMetrics } from './platform/probes/metrics-server.js';
import { GracefulShutdown } from './platform/server/graceful-shutdown.js';
import { createLogger } from './platform/server/log.js';
import { isCompilerInstalled } from './workflows/embedded/compiler-digest.js';

/** Stops a component that was started. `signal` is missing if the start failed. */
type Stop = (signal?: NodeJS.Signals) => Promise<unknown>;

/** Maximum time in milliseconds to close connections to PostgreSQL and Redis after their last use. */
const CLOSE_MS = 5_000;

/**
 * After thousands of requests that lasted, such as streams, V8 would allocate parts of all requests among its long-lived
 * objects. These keep the rest of their request alive until the next collection of the whole heap.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * Lets the heap double before a collection of the whole heap. Most of it is the platform itself, and V8 would collect
 * again after a tenth more. Its threads need a quarter of a second of processor time for that, which requests wait for if
 * there are few cores.
 */
setFlagsFromString('--heap-growing-percent=100');

/** Starts the platform in its role. On SIGINT or SIGTERM, stops it together with all servers that it started. */
async function main(): Promise<void> {
  const config = loadConfig();
  const stops: Stop[] = [];
  let stopping: Promise<void> | undefined;
  const stop = (signal?: NodeJS.Signals) => (stopping ??= stopAll(stops, signal));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void stop(signal).then(() => process.exit(0)));
  }
  const lost = (error: Error): void => {
    console.error(error.message);
    void stop().then(() => process.exit(1));
  };
  try {
    await start(config, stops, lost);
  } catch (error) {
    await stop();
    throw dataDirError(error as Error, config.dataDir);
  }
}

/** Calls `lost` if a server that was started here has ended and cannot be restarted. */
async function start(config: Config, stops: Stop[], lost: (error: Error) => void): Promise<void> {
  const { PORT, METRICS_PORT, MAIL_IN_PORT, MQTT_PORT, MQTT_TLS_PORT, MQTT_WS_PORT } = config;
  const { SITES_PORT, SITES_TLS_PORT } = config;
  if (config.roles.has('worker') && !isCompilerInstalled())
    throw new ConfigError(
      `PROCESS_ROLE: a worker compiles workflows, and the compiler is not installed here. Use the image for workers, or install again with npm ci.`,
    );
  await probePorts(config.HOST, {
    PORT,
    ...(METRICS_PORT ? { METRICS_PORT } : {}),
    ...(MAIL_IN_PORT && config.roles.has('api') ? { MAIL_IN_PORT } : {}),
    ...(config.roles.has('broker') ? chosen({ MQTT_PORT, MQTT_TLS_PORT, MQTT_WS_PORT }) : {}),
    ...(config.roles.has('sites') ? { SITES_PORT, ...(SITES_TLS_PORT ? { SITES_TLS_PORT } : {}) } : {}),
  });
  await closeDataFolder(config.dataDir);
  const log = createLogger({ level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  const servers = { dataDir: config.dataDir, log, lost };
  const privateServers: PrivateServer[] = [];
  let { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = config;
  if (!databaseUrl) {
    const postgres = await startEmbeddedPostgres(servers);
    stops.push(() => postgres.stop());
    privateServers.push(postgres);
    databaseUrl = postgres.socketUrl;
  }
  if (!redisUrl) {
    const redis = await startPrivateRedis(servers);
    stops.push(() => redis.stop());
    privateServers.push(redis);
    redisUrl = redis.url;
    if (redis.kind === 'in-process') {
      console.log(
        'No redis-server or valkey-server was found: jobs run on an in-process Redis, which is for evaluation only.',
      );
    }
  }
  if (!(await pingRedis(redisUrl)))
    console.warn('Redis does not respond or accept writes: jobs wait until it does.');
  // Providers load the key too, but Nest would log their errors with a stack.
  loadTokenKey({ configured: config.TOKEN_PRIVATE_KEY, dataDir: config.dataDir });
  await prepare(databaseUrl, config);
  const app = await createApp({ config, databaseUrl, redisUrl, privateServers });
  stops.push(() => Promise.race([app.close(), sleep(CLOSE_MS)]));
  await app.listen(config.PORT, config.HOST).catch((error: Error) => {
    throw new ConfigError(`PORT: ${error.message}`);
  });
  if (config.METRICS_PORT) {
    const metrics = await serveMetrics(app.get(Metrics), config.METRICS_PORT, config.HOST);
    stops.push(() => metrics.stop());
  }
  stops.push((signal) => drainAll(app, config, signal));
  logAddress(config, await app.getUrl());
}

/** Returns the ports that are not disabled. */
const chosen = (ports: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(ports).filter(([, port]) => port > 0));

/** Migrates the database to the current schema. Shows a generated password as soon as its user exists. */
async function prepare(databaseUrl: string, config: Config): Promise<void> {
  const dataSource = createDataSource({ url: databaseUrl, entities, poolSize: 2, report: console.log });
  await dataSource.initialize().catch((error: Error) => {
    throw new ConfigError(`DATABASE_URL: PostgreSQL rejected the connection: ${error.message}`);
  });
  try {
    const { adminEmail, password } = await prepareDatabase(dataSource, config);
    console.log(`\nAdministrator   ${adminEmail}`);
    if (password) console.log(`Password        ${password}   (generated; shown only once)`);
  } finally {
    await dataSource.destroy();
  }
}

function logAddress(config: Config, url: string): void {
  const address = config.PUBLIC_URL ?? url;
  const lines = config.roles.has('api')
    ? [`Fieldwright is ready at ${address}`, `Swagger UI      ${address}/docs`]
    : [`Fieldwright ${[...config.roles].join(' and ')} is ready; its probes are at ${url}/health`];
  if (config.roles.has('broker')) lines.push(`MQTT            ${mqttUrls(config).join(', ') || 'disabled'}`);
  if (config.roles.has('sites')) lines.push(`Experiences     ${config.siteUrl('<slug>')}`);
  console.log(`\n${lines.join('\n')}\n`);
}

/** Returns the URLs at which devices can connect. */
function mqttUrls({ HOST, PORT, MQTT_PORT, MQTT_TLS_PORT, MQTT_WS_PORT, roles }: Config): string[] {
  const ports = chosen({
    mqtt: MQTT_PORT,
    mqtts: MQTT_TLS_PORT,
    ws: MQTT_WS_PORT || (roles.has('api') ? PORT : 0),
  });
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return Object.entries(ports).map(
    ([scheme, port]) => `${scheme}://${host}:${port}${scheme === 'ws' ? '/mqtt' : ''}`,
  );
}

/** Drains requests, jobs and runs of workflows concurrently. On Ctrl-C, skips the delay for load balancers. */
async function drainAll(app: NestExpressApplication, config: Config, signal?: NodeJS.Signals): Promise<void> {
  const timeoutMs = config.SHUTDOWN_TIMEOUT * 1000;
  const jobs = config.roles.has('worker')
    ? app.get(JobsProcessor, { strict: false }).drain(timeoutMs)
    : undefined;
  const runs = config.roles.has('engine') ? app.get(Engine, { strict: false }).drain(timeoutMs) : undefined;
  const clients = config.roles.has('broker') ? app.get(MqttServer, { strict: false }).stop() : undefined;
  const requests = app
    .get(GracefulShutdown)
    .drain({ timeoutMs, waitsForLoadBalancers: signal === 'SIGTERM' });
  await Promise.all([jobs, runs, clients, requests]);
}

/** Stops components in reverse order of their start. A failure does not prevent the others from being stopped. */
async function stopAll(stops: Stop[], signal?: NodeJS.Signals): Promise<void> {
  for (const stop of stops.reverse()) {
    await stop(signal).catch((error: Error) => console.error(error.message));
  }
}

main().catch((error: Error) => {
  // A plain `Error` has a message for the operator. Any other error is a bug, and its stack shows the location.
  console.error(error.constructor === Error || error instanceof ConfigError ? error.message : error.stack);
  process.exit(1);
});
