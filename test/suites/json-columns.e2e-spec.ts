import type { OpenAPIObject } from '@nestjs/swagger';
import { getMetadataArgsStorage } from 'typeorm';
import { entities } from '../../src/families.js';
import { documentText } from '../../src/openapi/emit.js';
import { columnName } from '../../src/platform/database/naming.js';
import { alternativesOf } from '../../src/platform/responses/schema.js';
import { shapeOf } from '../../src/platform/responses/shape.js';
import { filled as filledPath, targetsOf } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';
import { inBatches } from '../setup/in-batches.js';
import { makeUser, uniqueName } from '../make/make.js';
import { componentName } from '../contract/component-name.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';

/** Schemas of columns that are returned under another schema than their entity's. */
const SHOWN_AS: Readonly<Record<string, string>> = {
  'User.limits': 'Me.limits',
  'Org.tags': 'InstanceOrg.tags',
  'OrgMember.applicationRoles': 'OrgMember.applicationRoles',
  'OrgMember.dashboardRoles': 'OrgMember.dashboardRoles',
  'ExperienceEndpointVersion.endpointTags': 'ExperienceEndpoint.endpointTags',
  'ExperienceEndpointVersion.staticReply': 'ExperienceEndpoint.staticReply',
  'ExperienceEndpointVersion.unauthorizedReply': 'ExperienceEndpoint.unauthorizedReply',
  'ExperienceViewVersion.headers': 'ExperienceView.headers',
  'ExperienceViewVersion.viewTags': 'ExperienceView.viewTags',
  'Job.progress': 'ApplicationJobLog.progress',
  'Job.result': 'ApplicationJobLog.output',
  'Job.error': 'ApplicationJobLog.error',
  'Job.input': 'ApplicationJobLog.input',
};
/** Columns that are never returned verbatim; a response built from one is copied as a whole. */
const NOT_SHOWN = [
  'DeviceState.lastValues',
  'Device.attributeNumbers',
  'EmbeddedModule.facts',
  'EventUpdateRow.content',
  'ApplicationImport.asked',
  'ApplicationImport.result',
  'DeploymentTask.change',
  'DeploymentTask.source',
  'DeploymentTask.windows',
  'DeviceSession.will',
  'EmbeddedDeployment.bundles',
  'EmbeddedDeployment.compilerOptions',
  'FileUpload.fileDimensions',
  'FlowNodeState.state',
  'FlowStorage.value',
  'HistoricalSummaryRow.summary',
  'Job.payload',
  'Job.kept',
  'SsoDomain.certificates',
];
/** Paths of items in a column that may no longer exist. */
const WITHIN = /\/attributes\/[^/]+$/;
const CANARY = uniqueName('undocumented');

const document = JSON.parse(await documentText()) as OpenAPIObject;
const components = document.components!.schemas as Record<string, Json>;
const schemas = new Schemas(document);

/** All JSON columns, with the schema of the property that returns them. */
const columns = entities.flatMap((entity) =>
  getMetadataArgsStorage()
    .columns.filter(
      ({ target, options }) =>
        options.type === 'jsonb' &&
        typeof target === 'function' &&
        (target === entity || entity.prototype instanceof target),
    )
    .map(({ propertyName: property }) => {
      const name = `${entity.name}.${property}`;
      const [component, shownAs] = (SHOWN_AS[name] ?? `${componentName(entity)}.${property}`).split('.') as [
        string,
        string,
      ];
      const properties = components[component]?.properties as Record<string, Json> | undefined;
      const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)!.name!;
      return { name, table, property, schema: properties?.[shownAs] };
    }),
);
/** A map of plain values has no undocumented properties. */
const isPlainMap = ({ properties, additionalProperties: values }: Json): boolean =>
  !properties && typeof values === 'object' && shapeOf(values as Json, components) === 'all';
const closed = columns.flatMap(({ schema, ...column }) =>
  schema && shapeOf(schema, components) !== 'all' && !isPlainMap(schema) ? [{ ...column, schema }] : [],
);

const { test } = suite({ PROCESS_ROLE: 'api' }, { database: 'own' });
let samples: Samples;
/** Operations that read rows: without required query parameters, without jobs, and with a finite JSON response. */
const readers = targetsOf(document).filter(
  ({ id, method, open, status, query, streams }) =>
    id !== 'embeddedDeployments.bundle' &&
    method === 'GET' &&
    !open &&
    status === 200 &&
    !streams &&
    !query.some(({ required }) => required),
);
const EXPERIENCE = '/applications/{applicationId}/experience';
let paths: string[];

beforeAll(async () => {
  samples = new Samples(test, await makeUser(test));
  paths = [];
  for (const target of readers) paths.push((await samples.requestFor(target)).path);
  const versions = filledPath(`${EXPERIENCE}/versions`, await samples.idsOf(`${EXPERIENCE}/versions`));
  const { version } = await samples.post(versions, { version: uniqueName() });
  for (const { path, query } of readers)
    if (path.startsWith(EXPERIENCE) && query.some(({ name }) => name === 'version'))
      paths.push(`${filledPath(path, await samples.idsOf(path))}?version=${version}`);
});

it('every JSON column is returned by a property or listed as internal', () => {
  const hidden = columns.filter(({ schema }) => !schema).map(({ name }) => name);
  expect(hidden.sort()).toEqual(NOT_SHOWN.toSorted());
  expect(closed.length).toBeGreaterThan(20);
});

it.each(closed)('$name is returned only with documented properties, whatever it contains', async (column) => {
  const { table, property, schema } = column;
  const { token } = samples.user;
  const stored = JSON.stringify(filled(schema, true));
  await test.dataSource.query(`UPDATE ${table} SET ${columnName(property)} = $1::jsonb`, [stored]);
  expect(stored).toContain(CANARY);
  const shown: unknown[] = [];
  const faults = await inBatches(paths, async (path) => {
    const { status, body } = await test.client.get(path, { token });
    collect(body, SHOWN_AS[column.name]?.split('.')[1] ?? property, shown);
    if (JSON.stringify(body).includes(CANARY)) return `${path} shows what is not documented`;
    return status === 200 || (status === 404 && WITHIN.test(path)) ? undefined : `${path}: ${status}`;
  });
  expect(faults).toEqual([]);
  expect(shown).toContainEqual(filled(schema, false));
});

/** Returns a value with all documented properties; `dirty` adds undocumented and write-only ones to each object. */
function filled(given: Json, dirty: boolean): unknown {
  const schema = alternativesOf(given, components).find(
    ({ properties, items, allOf, oneOf, anyOf }) => properties ?? items ?? !(allOf ?? oneOf ?? anyOf),
  )!;
  const { properties, items, additionalProperties } = schema as { properties?: Record<string, Json> } & Json;
  if (items) return schema.maxItems === 0 ? [] : [filled(items as Json, dirty)];
  if (!properties) return schemas.sample(schema);
  const shown = Object.entries(properties).filter(([, { writeOnly }]) => writeOnly !== true);
  const hidden = Object.keys(properties).filter((name) => properties[name]!.writeOnly === true);
  const more = typeof additionalProperties === 'object' ? [] : ['undocumented'];
  return {
    ...Object.fromEntries(shown.map(([name, member]) => [name, filled(member, dirty)])),
    ...(dirty ? Object.fromEntries([...hidden, ...more].map((name) => [name, { of: [CANARY] }])) : {}),
  };
}

/** Collects every value of a property, at any depth. */
function collect(node: unknown, property: string, found: unknown[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === property) found.push(value);
    collect(value, property, found);
  }
}
