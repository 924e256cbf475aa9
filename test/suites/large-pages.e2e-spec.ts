import type { OpenAPIObject } from '@nestjs/swagger';
import type { EntityMetadata } from 'typeorm';
import { documentText } from '../../src/openapi/emit.js';
import { Database, type Statement } from '../../src/platform/database/database.js';
import { MAX_RESPONSE_BYTES } from '../../src/platform/database/query.js';
import { componentName } from '../contract/component-name.js';
import { Samples } from '../contract/samples.js';
import { makeInstanceMember } from '../make/make.js';
import { selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';

/** Lists whose statements are not limited by size, each with the limit that applies instead. */
const LIMITED_OTHERWISE: Readonly<Record<string, string>> = {
  'applicationTemplates.get': 'the catalogue is part of the platform',
  'applicationTemplates.getCategories': 'the catalogue is part of the platform',
  'application.search': 'names only, 20 of each type',
  'dataTableRows.get': 'the statement measures the page: its rows are values of plain columns',
  'device.getState': 'the statement measures the values',
  'deviceAttributes.get': 'part of a single row',
  'experienceDomains.get': '100 domains with two certificates each',
  'experienceSlugs.get': '1,000 slugs, which are names',
  'instanceCustomNode.errors': 'always empty',
  'me.fetchRecentItems': 'names only, a few of each type',
  'me.get': 'names only, a few of each type',
  'me.invites': '1,000 invitations without free-form values',
};

/** Lists whose rows cannot be copied in their table. Their statements are checked only. */
const NOT_FILLED: Readonly<Record<string, string>> = {
  'applicationJobLogs.get': 'jobs have another ID in the log',
  'application.importLogs': 'no sample has imports',
  'credential.linkedResources': 'no sample has links',
  'device.getCommand': 'no sample has commands',
  'device.getLogEntries': 'no sample has connections',
  'experienceEndpoint.linkedResources': 'no sample has links',
  'experienceView.linkedResources': 'no sample has links',
  'flow.errors': 'no sample has runs',
  'flow.getLogEntries': 'no sample has runs',
  'flowRuns.get': 'no sample has runs',
  'flowVersion.errors': 'no sample has runs',
  'flowVersion.getLogEntries': 'no sample has runs',
  'instance.historicalSummaries': 'counts only, of resources of one month',
  'instanceMembers.get': 'members have no ID of their own',
  'instanceOrgMembers.get': 'members have no ID of their own',
};

/** Lists that do not contain copies of their rows, or none of their large values. */
const SMALL: Readonly<Record<string, string>> = {
  'devices.getCompositeState': 'names of devices and their values, which the statement measures',
  'instances.get': 'instances of which the caller is a member',
  'instanceSandboxes.get': 'no large values',
  'orgs.get': 'organizations of which the caller is a member',
};

/** Maximum size of a free-form JSON value, and of text without a maximum length: that of a body. */
const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_PER_PAGE = 1000;
/** Text columns with a smaller maximum are not filled, because they are names or have a format. */
const MIN_FILLED_LENGTH = 1024;

const document = JSON.parse(await documentText()) as OpenAPIObject;
const schemas = new Schemas(document);
const targets = targetsOf(document);

const answerOf = ({ path }: Target): Json => {
  const { content } = document.paths[path]!.get!.responses[200] as { content?: Record<string, Json> };
  return schemas.resolve((content?.['application/json']?.schema ?? {}) as Json);
};
const isList = (target: Target): boolean => {
  if (target.method !== 'GET' || target.status !== 200 || target.streams) return false;
  const isSized = target.query.some(({ name }) => ['perPage', 'limit'].includes(name));
  const answer = answerOf(target);
  const members = Object.values((answer.properties ?? {}) as Record<string, Json>);
  return isSized || answer.type === 'array' || [answer, ...members].some(isPage);
};
/** Whether a response, or a member of it such as linked workflows, is a page. */
const isPage = (schema: Json): boolean => 'items' in ((schemas.resolve(schema).properties ?? {}) as Json);
const lists = selected(targets.filter(isList));

const { test } = suite({ PROCESS_ROLE: 'api' }, { database: 'own' });
let samples: Samples;
beforeAll(async () => {
  samples = new Samples(test, await makeInstanceMember(test, 'admin'), 'organization');
});

/** Returns the path of a list with at least one row. */
async function listWithRow(target: Target): Promise<string> {
  const post = targets.find(({ method, path }) => method === 'POST' && path === target.path);
  const one = targets.find(
    ({ path }) => path.startsWith(`${target.path}/{`) && !path.slice(target.path.length + 2).includes('/'),
  );
  if (one) await samples.idsOf(one.path);
  else if (post?.body) {
    const { path, body } = await samples.requestFor(post);
    await samples.post(path, body);
  }
  const query = requiredQuery(target.query, schemas);
  return `${filled(target.path, await samples.idsOf(target.path))}?${query}`;
}

/** Returns the response to a request, and the statements that it runs with a limit by size. */
async function sizedStatementsOf(path: string): Promise<{ body: any; sized: Statement[] }> {
  const spies = (['run', 'rows', 'search', 'list'] as const).map((name) =>
    jest.spyOn(test.app.get(Database), name as 'run'),
  );
  const { body } = await samples.send('GET', path);
  const sized = spies.flatMap(({ mock }) => mock.calls.map(([statement]) => statement));
  spies.forEach((spy) => spy.mockRestore());
  return { body, sized: sized.filter(({ sizedBy }) => sizedBy !== undefined) };
}

/** A row of a list, with the entity of its table. */
interface ListedRow {
  entity: EntityMetadata;
  id: string;
}

/** Returns a row of a page in the table that its statement reads. */
async function rowOf({ text }: Statement, items: readonly { id?: string }[]): Promise<ListedRow | undefined> {
  for (const { id } of items.toReversed())
    for (const entity of id === undefined ? [] : test.dataSource.entityMetadatas) {
      const { tableName, primaryColumns } = entity;
      if (!new RegExp(`(FROM|JOIN) ${tableName}\\b`).test(text) || primaryColumns[0]?.propertyName !== 'id')
        continue;
      const found: unknown[] = await test.dataSource.query(`SELECT 1 FROM ${tableName} WHERE id = $1`, [id]);
      if (found.length > 0) return { entity, id: id! };
    }
  return undefined;
}

/** Returns SQL of the largest value of each column that has one, and their size in bytes. */
function largestValues({ entity }: ListedRow): { values: Map<string, string>; bytes: number } {
  const component = document.components!.schemas![componentName(entity.target as Function)] as
    Json | undefined;
  const properties = component?.properties as Record<string, Json> | undefined;
  const values = new Map<string, string>();
  let bytes = 0;
  const unique = new Set(entity.indices.filter(({ isUnique }) => isUnique).flatMap(({ columns }) => columns));
  for (const one of entity.columns) {
    const { propertyName, databaseName: column, type, isArray } = one;
    const schema = properties?.[propertyName];
    if (!schema || unique.has(one)) continue;
    const { maxLength = MAX_VALUE_BYTES, pattern, format, enum: choices } = schemas.resolve(schema);
    const isText = type === 'text' && !isArray && !(pattern ?? format ?? choices);
    if (isText && Number(maxLength) >= MIN_FILLED_LENGTH)
      values.set(column, `repeat('x', ${Number(maxLength)})`);
    else if (type === 'jsonb') values.set(column, filledSql(`s.${column}`));
    else continue;
    bytes += type === 'jsonb' ? MAX_VALUE_BYTES : Number(maxLength);
  }
  return { values, bytes };
}

/** SQL of a JSON value of the maximum size with the same type, and with items of the same type. */
const filledSql = (value: string): string => {
  const filler = `jsonb_build_object('filler', repeat('x', ${MAX_VALUE_BYTES}))`;
  return `CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} || CASE jsonb_typeof(${value}->0)
      WHEN 'string' THEN jsonb_build_array(repeat('x', ${MAX_VALUE_BYTES}))
      ELSE jsonb_build_array(coalesce(${value}->0, '{}') || ${filler}) END
    ELSE coalesce(${value}, '{}') || ${filler} END`;
};

/**
 * Copies a row with the largest values, and new values in unique columns except those of the owners. Returns a function
 * that removes the copies.
 */
async function copies(
  { entity, id }: ListedRow,
  { values, holders, count }: { values: ReadonlyMap<string, string>; holders: string[]; count: number },
) {
  const { dataSource } = test;
  const table = entity.tableName;
  const columns: { name: string; fresh: boolean }[] = await dataSource.query(
    `SELECT attname AS name, atttypid = 'text'::regtype AND EXISTS (SELECT FROM pg_index i
       WHERE i.indrelid = attrelid AND i.indisunique AND attnum = ANY (i.indkey)) AND NOT EXISTS (
         SELECT FROM pg_constraint c WHERE c.conrelid = attrelid AND c.contype = 'f' AND attnum = ANY (c.conkey)) AS fresh
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const copied = columns.map(({ name, fresh }) =>
    fresh
      ? `CASE WHEN s."${name}" = ANY ($2) THEN s."${name}" ELSE substr(md5(n || '${name}' || s.id), 1, 24) END`
      : (values.get(name) ?? `s."${name}"`),
  );
  // Counts and other tables do not matter here.
  await dataSource.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  const added: { id: string }[] = await dataSource.query(
    `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')}) SELECT ${copied.join(', ')}
     FROM ${table} s, generate_series(1, ${count}) n WHERE s.id = $1 RETURNING id`,
    [id, holders],
  );
  return async () => {
    await dataSource.query(`DELETE FROM ${table} WHERE id = ANY ($1)`, [added.map((row) => row.id)]);
    await dataSource.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  };
}

const fetched = async (path: string) => {
  const headers = { authorization: `Bearer ${samples.user.token}` };
  const response = await fetch(`${test.client.url}${path}`, { headers });
  return { status: response.status, text: await response.text() };
};

describe('A page of the largest rows', () => {
  it.each(lists.map((target) => [target.id, target] as const))(
    'of %s is limited in size',
    async (id, target) => {
      const path = await listWithRow(target);
      const { body, sized } = await sizedStatementsOf(path);
      expect(sized.length === 0).toBe(id in LIMITED_OTHERWISE);
      const [statement] = sized;
      if (!statement) return;
      const names = [...target.query.map(({ name }) => name), ...idsIn(target.path)];
      expect(names).toContain(statement.sizedBy);
      expect(document.paths[target.path]!.get!.responses).toHaveProperty('400');

      const items = (Array.isArray(body) ? body : (body.items ?? [])) as { id?: string }[];
      const row = await rowOf(statement, items);
      expect(row === undefined).toBe(id in NOT_FILLED);
      if (!row) return;
      const { values, bytes } = largestValues(row);
      const count = Math.min(MAX_PER_PAGE - 1, Math.ceil(MAX_RESPONSE_BYTES / (bytes + 1)) + 1);
      const holders = Object.values(await samples.idsOf(target.path));
      const remove = await copies(row, { values, holders, count });
      try {
        const isPaged = ['perPage', 'limit'].includes(statement.sizedBy!);
        const page = await fetched(isPaged ? `${path}&${statement.sizedBy}=${MAX_PER_PAGE}` : path);
        if (!(id in SMALL)) {
          expect(page.status).toBe(400);
          expect(JSON.parse(page.text)).toEqual({
            type: 'Validation',
            message: expect.stringMatching(
              `^${statement.sizedBy} exceeds the maximum response size: at most \\d+ `,
            ),
          });
        } else {
          expect(page.status).toBe(200);
          expect(page.text.length).toBeLessThan(MAX_RESPONSE_BYTES);
        }
        if (target.query.some(({ name }) => name === 'perPage'))
          expect(await fetched(`${path}&perPage=1`)).toMatchObject({ status: 200 });
      } finally {
        await remove();
      }
    },
  );
});
