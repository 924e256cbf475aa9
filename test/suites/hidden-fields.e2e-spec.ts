import { randomBytes } from 'node:crypto';
import type { EntityMetadata } from 'typeorm';
import { fieldsOf } from '../../src/platform/fields/fields.js';
import { filled, requiredQuery, targetsOf } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { inBatches } from '../setup/in-batches.js';
import { makeInstanceMember } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';

/** Text columns that are named like secrets and are shown, with the reason. */
const SHOWN: Readonly<Record<string, string>> = {
  'webhooks.token':
    'It is part of an address that is handed out; `verificationType` decides who may call it.',
  'webhooks.verification_code_sealed': 'Callers that can change the webhook read it.',
};
/** Operations whose responses never end. */
const STREAM_OPERATIONS = /Stream$/;

const NAMED = /hash|sealed|secret|password|token|factor|pending/;

const { test } = suite({}, { database: 'own' });
let samples: Samples;
beforeAll(async () => {
  samples = new Samples(test, await makeInstanceMember(test, 'admin'), 'organization');
});

/** Text columns that are named like secrets: hashes of passwords and tokens, and encrypted values. */
function secretsOf({ tableName, columns }: EntityMetadata): { column: string; property: string }[] {
  return columns
    .filter(({ type, isArray, databaseName }) => type === 'text' && !isArray && NAMED.test(databaseName))
    .map(({ databaseName, propertyName }) => ({
      column: `${tableName}.${databaseName}`,
      property: propertyName,
    }));
}

it('keeps every column that is named like a secret out of the fields, unless a reason is listed', () => {
  const shown = test.dataSource.entityMetadatas.flatMap((entity) => {
    const fields = new Set(fieldsOf(entity.target as never).map(({ source }) => source));
    return secretsOf(entity).filter(({ property }) => fields.has(property));
  });
  expect(shown.map(({ column }) => column).filter((column) => !(column in SHOWN))).toEqual([]);
});

it('returns no secret column to any caller', async () => {
  const targets = targetsOf(test.document).filter(
    ({ id, method }) => method === 'GET' && !STREAM_OPERATIONS.test(id),
  );
  const schemas = new Schemas(test.document);
  const paths: string[] = [];
  for (const { path, query } of targets) {
    const asked = requiredQuery(query, schemas);
    paths.push(`${filled(path, await samples.idsOf(path))}${asked && `?${asked}`}`);
  }
  const canary = randomBytes(12).toString('hex');
  const secrets = test.dataSource.entityMetadatas
    .flatMap(secretsOf)
    .map(({ column }) => column)
    .filter((column) => !(column in SHOWN));
  expect(secrets.length).toBeGreaterThan(9);
  for (const column of secrets) {
    const [table, name] = column.split('.') as [string, string];
    const marked = await test.dataSource.query<object[]>(
      `WITH marked AS (UPDATE ${table} t SET ${name} = $1 || t.ctid::text RETURNING 1 AS one) SELECT one FROM marked`,
      [canary],
    );
    expect([column, marked.length > 0]).toEqual([column, true]);
  }
  const { token } = samples.user;
  const showing = await inBatches(paths, async (path) => {
    const { status, body } = await test.client.request('GET', path, { token });
    if (status >= 500) return `${path}: ${status}`;
    return JSON.stringify(body ?? null).includes(canary) ? `${path} shows a secret` : undefined;
  });
  expect(paths.length).toBeGreaterThan(100);
  expect(showing).toEqual([]);
}, 60_000);
