import type { OpenAPIObject } from '@nestjs/swagger';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { documentText } from '../../src/openapi/emit.js';
import { namesSecret } from '../../src/platform/audit/redact.js';
import { startOpenArchive } from '../doubles/archive-stores.js';
import { placesOf, type Place } from './hostile/bodies.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';
import { makeUser, uniqueName } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

/** Text properties with secret-like names that are not secret, with the reason. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'AdvancedExperienceUserQuery.passwordLastUpdated': 'It is compared with the time of a change.',
  'Webhook.token':
    'It is part of an address that is handed out; who may call it is what `verificationType` says.',
};
/** Tables that keep user input or job data for other readers. */
const LOG_TABLES = ['audit_logs', 'instance_audit_logs', 'jobs'];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Complete archive settings except for the secret of each store. */
const LOCATIONS: Readonly<Record<string, Json>> = {
  s3: { bucket: 'pump-archive', accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  gcs: { bucket: 'pump-archive' },
  azure: { bucket: 'pump-archive', account: 'northfield' },
};

const document = JSON.parse(await documentText()) as OpenAPIObject;
const schemas = new Schemas(document);
const targets = targetsOf(document);

const isDeclared = ({ format, writeOnly }: Json): boolean => format === 'password' || writeOnly === true;

describe('A text property with a secret-like name', () => {
  const named = Object.entries(document.components!.schemas!).flatMap(([component, schema]) =>
    propertiesIn(schema as Json)
      .filter(([name, property]) => namesSecret(name) && isText(schemas.resolve(property)))
      .map(([name, property]) => ({ at: `${component}.${name}`, declared: isDeclared(property) })),
  );

  it('is declared as a secret or listed as an exception', () => {
    expect(named.length).toBeGreaterThan(15);
    const undeclared = named.filter(({ declared }) => !declared).map(({ at }) => at);
    expect(undeclared).toEqual(Object.keys(NO_SECRETS));
  });

  it('is not in the query of a changing operation, because logs keep queries', () => {
    const asked = targets.filter(
      ({ method, query }) => method !== 'GET' && query.some(({ name }) => namesSecret(name)),
    );
    expect(asked.map(({ id }) => id)).toEqual([]);
  });

  /** Whether a property may hold text: free-form values may too, but times and choices are never secret. */
  function isText({ type, properties, items, enum: choices, format }: Json): boolean {
    const isFree = (type === undefined || type === 'object') && !properties && !items;
    return (type === 'string' && !choices && format !== 'date-time') || isFree;
  }

  /** Returns the properties of a schema and of its unnamed subschemas. */
  function propertiesIn(schema: Json): [string, Json][] {
    const own = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    const { items, additionalProperties, allOf, anyOf, oneOf } = schema;
    const within = [...own.map(([, property]) => property), items, additionalProperties, allOf, anyOf, oneOf]
      .flat()
      .filter((part): part is Json => typeof part === 'object' && part !== null);
    return [...own, ...within.flatMap(propertiesIn)];
  }
});

describe('A secret in a body', () => {
  const places = selected(targets).flatMap((target) =>
    target.body
      ? placesOf(target.body, schemas.sample(target.body), schemas)
          .filter(({ schema }) => isDeclared(schema))
          .map((place) => ({ name: `${target.id} ${place.at}`, target, place }))
      : [],
  );
  const env: Record<string, string> = { LOG_LEVEL: 'trace', CODEHOST_API_URL: 'http://127.0.0.1:9' };
  let archive: Awaited<ReturnType<typeof startOpenArchive>>;
  beforeAll(async () => {
    archive = await startOpenArchive();
    for (const kind of Object.keys(LOCATIONS))
      env[`ARCHIVE_${kind.toUpperCase()}_ENDPOINT`] = archive.endpoint;
  });
  afterAll(() => archive.close());
  const { test } = suite(env);
  let everyone: Samples;
  let recorded = 0;

  beforeAll(async () => {
    everyone = new Samples(test, await makeUser(test));
  });

  it.each(places)('is not in audit logs, jobs or log lines: $name', async ({ name, target, place }) => {
    const secret = canaryOf(place);
    const samples = everyone.of(await makeUser(test), 'organization');
    const { path, body } = await requestWith(samples, target, place, writtenAs(place, secret));
    const { token } = samples.user;
    const { headers } = await test.client.request(target.method, path, { body, token });
    const keeping = [];
    for (const table of LOG_TABLES) {
      const rows = await test.dataSource.query<object[]>(
        `SELECT 1 AS one FROM ${table} t WHERE strpos(t::text, $1) > 0`,
        [secret],
      );
      if (rows.length > 0)
        keeping.push(`${table} keeps ${name}: declare it with format: 'password' or writeOnly`);
    }
    expect(keeping).toEqual([]);
    const line = `"requestId":"${headers.get('x-request-id')!}"`;
    await waitUntil(async () => test.log.some((chunk) => chunk.includes(line)));
    expect(test.log.filter((chunk) => chunk.includes(secret))).toEqual([]);
    const entries = await test.dataSource.query<{ body: string }[]>(
      `SELECT request_body::text AS body FROM audit_logs
         WHERE actor_id = $1 AND request_resource || '.' || request_action = $2`,
      [samples.user.id, target.id],
    );
    for (const entry of entries) expect(entry.body).toContain('[redacted]');
    recorded += entries.length;
  });

  it('is redacted in the audit logs of many operations', () => {
    const operations = new Set(places.map(({ target }) => target.id));
    expect(recorded).toBeGreaterThanOrEqual(Math.min(operations.size, 10));
  });

  /** Returns the sample request with a secret, for the organization of the samples if the body names one. */
  async function requestWith(samples: Samples, target: Target, { put }: Place, secret: string) {
    const { path, body } = await samples.requestFor(target);
    const { properties = {} } = schemas.resolve(target.body!) as { properties?: Json };
    const owner = 'orgId' in properties ? { orgId: await samples.idOf('/orgs/{orgId}') } : {};
    const whole: Json = { ...(body as Json), ...owner, ...(put(secret) as Json) };
    const { archiveConfig } = whole;
    if (archiveConfig)
      whole.archiveConfig = Object.fromEntries(
        Object.entries(archiveConfig).map(([name, value]) => [
          name,
          { ...LOCATIONS[name], ...(value as Json) },
        ]),
      );
    return { path, body: whole };
  }

  /** Returns a secret in the format of its place: the key of a service account has several texts. */
  function writtenAs({ at }: Place, secret: string): string {
    if (!at.endsWith('.gcs.keyJson')) return secret;
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return JSON.stringify({
      type: 'service_account',
      client_email: 'archive@north-field.iam.gserviceaccount.com',
      private_key: privateKey,
      private_key_id: secret,
    });
  }

  /** Returns a secret that is valid in its place. */
  function canaryOf({ at, schema }: Place): string {
    const isValid = schemas.validator(schema);
    const base32 = [...randomBytes(52)].map((byte) => BASE32[byte % 32]).join('');
    const candidates = /[kK]ey$/.test(at) ? [base32] : [`${uniqueName('Canary')}-Aa1`, base32];
    const found = candidates.find((text) => isValid(text));
    if (found === undefined) throw new Error(`Nothing fits ${JSON.stringify(schema)}`);
    return found;
  }
});
