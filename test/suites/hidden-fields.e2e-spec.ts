import { randomBytes } from 'node:crypto';
import type { EntityMetadata } from 'typeorm';
import { fieldsOf } from '../../src/platform/fields/fields.js';
import { filled, requiredQuery, targetsOf } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { inBatches } from '../setup/in-batches.js';
import { makeInstanceMember } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';

/** Values that no one may read back, by column: hashes of passwords and tokens, and encrypted values. */
const HIDDEN: readonly string[] = [
  'api_tokens.token_hash',
  'application_keys.secret_hash',
  'applications.archive_secrets',
  'credentials.secrets_sealed',
  'experience_domains.ssl_key_sealed',
  'experience_users.password_hash',
  'org_invites.token_hash',
  'users.password_hash',
  'users.two_factor_key',
  'users.two_factor_pending',
  'webhooks.basic_auth_sealed',
];
/** Hidden columns with names like secrets that hold no secret, with the reason. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'webhooks.verification_code_sealed': 'Whoever may change the webhook is shown it.',
};
/** Operations that go on answering. */
const ENDLESS = /Stream$/;

const NAMED = /hash|sealed|secret|password|token|factor|pending/;

const { test } = suite({}, { database: 'own' });
let samples: Samples;
beforeAll(async () => {
  samples = new Samples(test, await makeInstanceMember(test, 'admin'), 'organization');
});

/** Text columns of a table that no answer shows. */
function hiddenOf({ tableName, columns, target }: EntityMetadata): string[] {
  const shown = new Set(fieldsOf(target as never).map(({ source }) => source));
  return columns
    .filter(({ type, isArray, propertyName }) => type === 'text' && !isArray && !shown.has(propertyName))
    .map(({ databaseName }) => `${tableName}.${databaseName}`);
}

it('Every column that is named like a secret is one, or is none for a reason', () => {
  const hidden = test.dataSource.entityMetadatas.flatMap(hiddenOf);
  const named = hidden.filter((column) => NAMED.test(column.split('.')[1]!));
  expect(named.sort()).toEqual([...HIDDEN, ...Object.keys(NO_SECRETS)].sort());
});

it('None of them is in any answer, whoever looks', async () => {
  const targets = targetsOf(test.document).filter(({ id, method }) => method === 'GET' && !ENDLESS.test(id));
  const schemas = new Schemas(test.document);
  const paths: string[] = [];
  for (const { path, query } of targets) {
    const asked = requiredQuery(query, schemas);
    paths.push(`${filled(path, await samples.idsOf(path))}${asked && `?${asked}`}`);
  }
  const canary = randomBytes(12).toString('hex');
  for (const column of HIDDEN) {
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
