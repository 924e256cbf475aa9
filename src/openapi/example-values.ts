import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleId } from '../platform/fields/example-id.js';
import { ID_EXAMPLE, TIME_EXAMPLE } from '../platform/fields/fields.js';
import type { Json } from './operations.js';

/** Resources behind the names of properties, types and schemas that do not tell them. */
const MEANINGS: Readonly<Record<string, string>> = {
  ancestor: 'parent',
  appliedTemplate: 'template',
  attachedDomain: 'experienceDomain',
  attachedSlug: 'experienceSlug',
  category: 'applicationTemplateCategory',
  compositeDevice: 'device',
  defaultVersion: 'flowVersion',
  deviceSummary: 'device',
  fileUploadPostResponse: 'file',
  importExecution: 'applicationImportExecution',
  invite: 'orgInvite',
  jobExecution: 'job',
  jobValidationError: 'flow',
  orgInviteUser: 'orgInvite',
  organization: 'org',
  paletteNode: 'instanceCustomNode',
  periodSummary: 'application',
  privateFileUploadPostResponse: 'privateFile',
  recentItem: 'application',
  responseBody: 'application',
  row: 'dataTableRow',
  sandboxOrg: 'org',
  updateFlow: 'flow',
  validationProblem: 'flow',
};
/** Properties that name who did something, unless a type beside them says otherwise. */
const PEOPLE: ReadonlySet<string> = new Set([
  'actor',
  'author',
  'createdBy',
  'creator',
  'lastUpdatedBy',
  'owner',
  'requestedBy',
  'source',
]);
/** Times of properties that come before or after the creation, which is at `TIME_EXAMPLE`. */
const TIMES: Readonly<Record<string, string>> = {
  currentPeriodEnd: '2026-07-01T00:00:00.000Z',
  currentPeriodStart: '2026-06-01T00:00:00.000Z',
  end: '2026-06-14T04:00:00.000Z',
  expirationDate: '2027-06-13T04:00:00.000Z',
  lastFailedLogin: '2026-06-14T17:45:00.000Z',
  lastLogin: '2026-06-15T08:12:00.000Z',
  lastSuccessfulLogin: '2026-06-15T08:12:00.000Z',
  lastUpdated: '2026-06-15T09:30:00.000Z',
  notValidAfter: '2031-06-13T04:00:00.000Z',
  runCompletedAt: '2026-06-13T04:02:10.000Z',
  runStartedAt: '2026-06-13T04:00:01.000Z',
  updatedAt: '2026-06-15T09:30:00.000Z',
};

/**
 * Gives each ID in an example the ID of the resource that its property names, and each time its place in the order of
 * events. All examples then speak of the same application, device and user. Declarations contain `ID_EXAMPLE` and
 * `TIME_EXAMPLE` in their place.
 */
export function nameValues(document: OpenAPIObject): void {
  for (const [name, component] of Object.entries(document.components?.schemas ?? {})) {
    const schema = component as Json;
    const owner = ownNoun(name, schema);
    nameExamples(schema, '', { owner, typeOf: () => undefined });
    nameIn(schema, owner);
  }
  nameIn(document.paths, '');
}

/** Surroundings of a value: the resource whose ID is `id`, and the types beside the value. */
interface Place {
  owner: string;
  typeOf: (key: string) => unknown;
}

/** Replaces values in the examples of a schema, of parameters and of bodies; `owner` is the resource whose ID is `id`. */
function nameIn(node: Json, owner: string): void {
  const { properties, name, schema } = node as {
    properties?: Record<string, Json>;
    name?: unknown;
    schema?: Json;
  };
  const typeOf = (key: string) => properties?.[key]?.example;
  for (const [key, property] of Object.entries(properties ?? {}))
    nameExamples(property, key, { owner, typeOf });
  if (schema) nameExamples(node, typeof name === 'string' ? name : '', { owner, typeOf });
  for (const child of Object.values(node))
    if (typeof child === 'object' && child !== null) nameIn(child as Json, owner);
}

function nameExamples(node: Json, key: string, place: Place): void {
  for (const holder of [node, node.items, node.schema] as (Json | undefined)[])
    if (holder?.example !== undefined) holder.example = named(holder.example, key, place);
}

/** Returns the value of the property `key`, with IDs and times that belong to its name. */
function named(value: unknown, key: string, place: Place): unknown {
  if (value === ID_EXAMPLE) return exampleId(nounOf(key, place));
  if (value === TIME_EXAMPLE) return TIMES[key] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => named(item, key, place));
  const inside = value as Json;
  const within = { owner: nounOf(key.replace(/s$/, 'Id'), place), typeOf: (type: string) => inside[type] };
  return Object.fromEntries(Object.entries(inside).map(([name, item]) => [name, named(item, name, within)]));
}

function nounOf(key: string, { owner, typeOf }: Place): string {
  const stem = key.replace(/Ids?$/, '');
  if (['', 'id', owner].includes(stem)) return owner;
  const type = typeOf(`${stem}Type`);
  const noun = typeof type === 'string' ? lowered(type) : PEOPLE.has(stem) ? 'user' : stem;
  return MEANINGS[noun] ?? noun;
}

/** Returns the resource that a schema describes, by the alias of its `id` or by its name. */
function ownNoun(name: string, { properties = {} }: Json): string {
  const alias = Object.entries(properties as Record<string, Json>).find(([, { description }]) =>
    String(description).startsWith('Alias of'),
  );
  const noun = alias ? alias[0].replace(/Id$/, '') : lowered(name);
  return MEANINGS[noun] ?? noun;
}

const lowered = (name: string): string => name.replace(/^./, (letter) => letter.toLowerCase());
