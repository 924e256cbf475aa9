import { S3_ENVIRONMENT, startS3Server, type S3Server } from './s3-server.js';
import { suite } from '../setup/suite.js';

type Platform = ReturnType<typeof suite>;

/** Stores that can hold blobs. */
export const STORES = ['a folder', 'S3'] as const;
export type Store = (typeof STORES)[number];

/** Starts a suite whose blobs are kept in `store`. */
export function suiteOn(store: Store, more: Record<string, string> = {}): Platform {
  if (store === 'a folder') return suite(more);
  const env = { ...more };
  const before = { ...process.env };
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server('fieldwright');
    Object.assign(process.env, S3_ENVIRONMENT);
    Object.assign(env, { BLOB_URL: 's3://fieldwright/kept', S3_ENDPOINT: server.endpoint });
  });
  const platform = suite(env);
  afterAll(async () => {
    for (const name of Object.keys(S3_ENVIRONMENT)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await server.close();
  });
  return platform;
}
