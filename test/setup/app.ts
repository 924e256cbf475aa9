import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.js';
import { Config } from '../../src/config/config.js';
import { prepareDatabase } from '../../src/first-start.js';
import { Client, type ClientOptions } from '../contract/client.js';
import { recordMails } from '../doubles/mails.js';
import { makeInstanceMember, makeUser } from '../make/make.js';
import type { Platform } from './platform.js';
import { SECRETS_KEY, UNLIMITED } from './platform-process.js';
import { databaseForWorker } from './databases.js';

export const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

/** A platform in this process, on the worker's database, reached over HTTP. */
export interface TestApp extends Platform {
  app: NestExpressApplication;
  dataSource: DataSource;
  config: Config;
  /** All logged lines. */
  log: string[];
  close(): Promise<void>;
}

/** Document of a process that does not serve the API. */
const NOTHING = { paths: {} } as OpenAPIObject;

let declared: Promise<OpenAPIObject> | undefined;

/** Fetches the OpenAPI document. It is large, and the same for each platform that this process starts. */
async function fetchDocument(url: string): Promise<OpenAPIObject> {
  return (await fetch(`${url}/openapi.json`)).json() as Promise<OpenAPIObject>;
}

/** Prevents requests to public stores during tests. */
const NO_STORES = {
  ARCHIVE_S3_ENDPOINT: 'http://127.0.0.1:1',
  ARCHIVE_GCS_ENDPOINT: 'http://127.0.0.1:1',
  ARCHIVE_AZURE_ENDPOINT: 'http://127.0.0.1:1',
};

/** Servers of a test platform instead of those of the worker, and how its client treats responses. */
interface StartOptions extends Pick<ClientOptions, 'retries'> {
  databaseUrl?: string;
  redisUrl?: string;
}

/** Starts the platform for the tests of one file. `env` overrides its configuration. */
export async function startApp(
  env: Record<string, string> = {},
  { retries, ...servers }: StartOptions = {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-app-'));
  const config = Config.from({
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'info',
    // Most suites look at requested runs. Suites of the engine add its role.
    PROCESS_ROLE: 'api,worker',
    SECRETS_KEY,
    ...UNLIMITED,
    ...NO_STORES,
    ...env,
  });
  const log: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const app = await createApp(
    { config, databaseUrl: await databaseForWorker(), redisUrl: redisForWorker(), ...servers },
    destination,
  );
  recordMails(app);
  const dataSource = app.get(DataSource);
  await prepareDatabase(dataSource, config);
  await app.listen(config.PORT, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const document = config.roles.has('api') ? await (declared ??= fetchDocument(url)) : NOTHING;
  const test: TestApp = {
    app,
    client: new Client(url, document, { retries }),
    document,
    dataSource,
    config,
    log,
    anotherUser: () => makeUser(test),
    administrator: () => makeInstanceMember(test, 'admin'),
    async close() {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return test;
}

/** Each worker has its own Redis database and its own PostgreSQL database; the in-process Redis has only one. */
export function redisForWorker(): string {
  const url = new URL(process.env.TEST_REDIS_URL!);
  if (process.env.TEST_REDIS_KIND !== 'in-process')
    url.pathname = `/${Number(process.env.JEST_WORKER_ID ?? '1') % 16}`;
  return url.href;
}
