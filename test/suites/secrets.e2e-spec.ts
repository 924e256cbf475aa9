import type { OpenAPIObject } from '@nestjs/swagger';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { documentText } from '../../src/openapi/emit.js';
import { namesSecret } from '../../src/platform/audit/redact.js';
import { startOpenArchive } from '../doubles/archive-stores.js';
import { placesOf, type Place } from './hostile/bodies.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';
import { makeUser, unique } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';
import { until } from '../setup/until.js';

/** Text named like a secret that is not one, with the reason. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'AdvancedExperienceUserQuery.passwordLastUpdated': 'It is compared with the time of a change.',
  'Webhook.token':
    'It is part of an address that is handed out; who may call it is what `verificationType` says.',
};
/** Tables that keep values of requests for other readers. */
const KEPT = ['audit_logs', 'instance_audit_logs', 'jobs'];
/** Requests of the samples that succeed and appear in a log. */
const RECORDED: ReadonlySet<string> = new Set([
  'applications.post body.archiveConfig.s3.secretAccessKey',
  'applications.post body.archiveConfig.gcs.keyJson',
  'applications.post body.archiveConfig.azure.accountKey',
  'application.patch body.archiveConfig.s3.secretAccessKey',
  'application.patch body.archiveConfig.gcs.keyJson',
  'application.patch body.archiveConfig.azure.accountKey',
  'credentials.post body.logglyConfig.customerToken',
  'credential.patch body.logglyConfig.customerToken',
  'experienceUsers.post body.password',
  'experienceUser.patch body.password',
  'orgs.post body.cardToken',
  'org.patch body.cardToken',
  'webhooks.post body.verificationCode',
  'webhooks.post body.basicAuthPassword',
  'webhook.patch body.verificationCode',
  'webhook.patch body.basicAuthPassword',
]);
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** What makes settings of an archive whole, beside the secret of its place. */
const PLACES: Readonly<Record<string, Json>> = {
  s3: { bucket: 'pump-archive', accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  gcs: { bucket: 'pump-archive' },
  azure: { bucket: 'pump-archive', account: 'northfield' },
};

const document = JSON.parse(await documentText()) as OpenAPIObject;
const schemas = new Schemas(document);
const targets = targetsOf(document);

const isDeclared = ({ format, writeOnly }: Json): boolean => format === 'password' || writeOnly === true;

describe('text that is named like a secret', () => {
  const named = Object.entries(document.components!.schemas!).flatMap(([component, schema]) =>
    propertiesIn(schema as Json)
      .filter(([name, property]) => namesSecret(name) && isText(schemas.resolve(property)))
      .map(([name, property]) => ({ at: `${component}.${name}`, declared: isDeclared(property) })),
  );

  it('is declared as one, or is none for a reason', () => {
    expect(named.length).toBeGreaterThan(15);
    const undeclared = named.filter(({ declared }) => !declared).map(({ at }) => at);
    expect(undeclared).toEqual(Object.keys(NO_SECRETS));
  });

  it('is in the query of no operation that changes something: logs keep that', () => {
    const asked = targets.filter(
      ({ method, query }) => method !== 'GET' && query.some(({ name }) => namesSecret(name)),
    );
    expect(asked.map(({ id }) => id)).toEqual([]);
  });

  /** Free-form values may be text too; times and choices hold no secret. */
  function isText({ type, properties, items, enum: choices, format }: Json): boolean {
    const isFree = (type === undefined || type === 'object') && !properties && !items;
    return (type === 'string' && !choices && format !== 'date-time') || isFree;
  }

  /** The properties of a schema, and of those within it that have no name of their own. */
  function propertiesIn(schema: Json): [string, Json][] {
    const own = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    const { items, additionalProperties, allOf, anyOf, oneOf } = schema;
    const within = [...own.map(([, property]) => property), items, additionalProperties, allOf, anyOf, oneOf]
      .flat()
      .filter((part): part is Json => typeof part === 'object' && part !== null);
    return [...own, ...within.flatMap(propertiesIn)];
  }
});

describe('a secret in a body', () => {
  const places = targets.flatMap((target) =>
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
    for (const kind of Object.keys(PLACES)) env[`ARCHIVE_${kind.toUpperCase()}_ENDPOINT`] = archive.endpoint;
  });
  afterAll(() => archive.close());
  const { test } = suite(env);
  let everyone: Samples;

  beforeAll(async () => {
    everyone = new Samples(test, await makeUser(test));
  });

  it.each(places)('is in no audit log, job or log line: $name', async ({ name, target, place }) => {
    const secret = canaryOf(place);
    const samples = everyone.of(await makeUser(test), 'organization');
    const { path, body } = await requestWith(samples, target, place, writtenAs(place, secret));
    const { token } = samples.user;
    const { headers } = await test.client.request(target.method, path, { body, token });
    for (const table of KEPT) {
      const kept = await test.dataSource.query(`SELECT t FROM ${table} t WHERE strpos(t::text, $1) > 0`, [
        secret,
      ]);
      expect({ table, kept }).toEqual({ table, kept: [] });
    }
    const line = `"requestId":"${headers.get('x-request-id')!}"`;
    await until(async () => test.log.some((chunk) => chunk.includes(line)));
    expect(test.log.filter((chunk) => chunk.includes(secret))).toEqual([]);
    const entries: unknown[] = await test.dataSource.query(
      `SELECT 1 FROM audit_logs WHERE actor_id = $1 AND request_resource || '.' || request_action = $2
         AND request_body::text LIKE '%[redacted]%'`,
      [samples.user.id, target.id],
    );
    expect(entries).toHaveLength(RECORDED.has(name) ? 1 : 0);
  });

  it('stands where a log tells of it', () => {
    expect(places.map(({ name }) => name)).toEqual(expect.arrayContaining([...RECORDED]));
  });

  /** The request of a sample with a secret, on the samples' organization if it names one. */
  async function requestWith(samples: Samples, target: Target, { put }: Place, secret: string) {
    const { path, body } = await samples.requestFor(target);
    const { properties = {} } = schemas.resolve(target.body!) as { properties?: Json };
    const owner = 'orgId' in properties ? { orgId: await samples.idOf('/orgs/{orgId}') } : {};
    const whole: Json = { ...(body as Json), ...owner, ...(put(secret) as Json) };
    const { archiveConfig } = whole;
    if (archiveConfig)
      whole.archiveConfig = Object.fromEntries(
        Object.entries(archiveConfig).map(([name, value]) => [name, { ...PLACES[name], ...(value as Json) }]),
      );
    return { path, body: whole };
  }

  /** A secret as its place takes it: in the key of a service account, that is one text of several. */
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

  /** A secret that the place takes. */
  function canaryOf({ at, schema }: Place): string {
    const isValid = schemas.validator(schema);
    const base32 = [...randomBytes(52)].map((byte) => BASE32[byte % 32]).join('');
    const candidates = /[kK]ey$/.test(at) ? [base32] : [`${unique('Canary')}-Aa1`, base32];
    const found = candidates.find((text) => isValid(text));
    if (found === undefined) throw new Error(`Nothing fits ${JSON.stringify(schema)}`);
    return found;
  }
});
