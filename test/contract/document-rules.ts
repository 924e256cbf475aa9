import type { OpenAPIObject } from '@nestjs/swagger';
import { languageFaults } from '../../eslint/plain-language.js';
import { operationsOf, parametersOf } from '../../src/openapi/operations.js';
import { othersOf } from '../../src/platform/responses/schema.js';
import { Schemas, type Json } from '../suites/hostile/schemas.js';
import { generatorFaults } from './generator-rules.js';
import { interactionFaults } from './interaction-rules.js';
import { tagFaults } from './tag-rules.js';
import { shownFaults } from './example-rules.js';
import { referredName } from '../../src/platform/responses/schema.js';

/** A schema of the document with its location. */
interface DocumentLocation {
  at: string;
  schema: Json;
}

const LOST = 'leads nowhere';

/** Longest description of a property that says no more than its name, in characters. */
const MAX_FILLER = 14;

/** Short descriptions that are complete: limits are generated as "Limit: " and the limited quantity. */
const COMPLETE: ReadonlySet<string> = new Set(['Limit: files.']);

/** Longest list of accepted scopes, in characters, because the `403` for other tokens repeats it. */
const MAX_SCOPES = 400;

/** Longest summary of an operation, in words. */
const MAX_SUMMARY_WORDS = 12;

type Operation = ReturnType<typeof operationsOf>[number];

/** Returns faults that would mislead or hinder readers of the document; each sentence names one location. */
export function documentFaults(document: OpenAPIObject): string[] {
  const components = (document.components?.schemas ?? {}) as Record<string, Json>;
  const operations = operationsOf(document);
  const references = referenceFaults(document);
  // A document with dangling references cannot be compiled, so no further checks are possible.
  if (references.some((fault) => fault.endsWith(LOST))) return references;
  const schemas = new Schemas(document);
  return [
    ...nameFaults(operations, components),
    ...tagFaults(document, operations),
    ...generatorFaults(document, operations),
    ...interactionFaults(
      document,
      operations.map(({ operation }) => operation),
    ),
    ...operations.flatMap((operation) => operationFaults(operation, document)),
    ...Object.entries(components).flatMap(([name, schema]) =>
      described(schema) ? [] : [`${name} is not described`],
    ),
    ...locationsOf(document).flatMap((place) => schemaFaults(place, components)),
    ...closedFaults(operations, components),
    ...exampleFaults(document, schemas),
    ...shownFaults(document, operations, schemas),
    ...proseFaults(document),
    ...references,
  ];
}

function nameFaults(operations: Operation[], components: Record<string, Json>): string[] {
  const seen = new Set<string>();
  return [
    ...operations.flatMap(({ operation: { operationId } }) => {
      const twice = seen.has(operationId);
      seen.add(operationId);
      const named = /^[a-z][A-Za-z]*_[a-z][A-Za-z]*$/.test(operationId);
      return [
        ...(named ? [] : [`${operationId} is not <resource>_<action>`]),
        ...(twice ? [`${operationId} is there twice`] : []),
      ];
    }),
    ...Object.keys(components).flatMap((name) => {
      const twice = seen.has(name.toLowerCase());
      seen.add(name.toLowerCase());
      const named = /^([A-Z][a-z0-9]*)+$/.test(name);
      return [...(named ? [] : [`${name} is not PascalCase`]), ...(twice ? [`${name} is there twice`] : [])];
    }),
  ];
}

function operationFaults({ path, operation }: Operation, document: OpenAPIObject): string[] {
  const { operationId: id, responses, requestBody, security } = operation;
  const open = security?.length === 0;
  const expected = [
    ...[400, 429, 500, 503],
    ...(open ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    ...(requestBody ? [413, 415] : []),
  ];
  return [
    ...(described(operation) ? [] : [`${id} is not described`]),
    ...(typeof operation.summary === 'string' && operation.summary !== '' ? [] : [`${id} has no summary`]),
    ...(String(operation['x-scopes']).length <= MAX_SCOPES ? [] : [`${id} accepts too many scopes to list`]),
    ...expected.filter((status) => !responses[status]).map((status) => `${id} does not declare ${status}`),
    ...(Object.keys(responses).some((status) => status.startsWith('2')) ? [] : [`${id} never succeeds`]),
    // A form contains a file, for which no example is needed.
    ...Object.entries(requestBody?.content ?? {})
      .filter(([type, { example }]) => type !== 'multipart/form-data' && example === undefined)
      .map(() => `${id} has no example of its body`),
    ...parametersOf(document, operation).flatMap((parameter) => {
      const { name, schema = {}, example } = parameter as Json & { name: string; schema?: Json };
      const shown = [example, schema.example, schema.enum, schema.$ref, schema.allOf, schema.default].some(
        (value) => value !== undefined,
      );
      return [
        ...(described(parameter) ? [] : [`${id}: ${name} is not described`]),
        ...(shown ? [] : [`${id}: ${name} has no example`]),
      ];
    }),
  ];
}

/** Every summary and description is plain English (docs/style.md). */
function proseFaults(document: OpenAPIObject): string[] {
  const faults = new Set<string>();
  const walk = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { summary, description } = node as Json;
    for (const text of [summary, description])
      if (typeof text === 'string') for (const fault of languageFaults(text)) faults.add(`${at}: ${fault}`);
    if (typeof summary === 'string') {
      if (summary.endsWith('.')) faults.add(`${at}: the summary ends with a full stop`);
      if (summary.split(/\s+/).length > MAX_SUMMARY_WORDS)
        faults.add(`${at}: the summary has more than ${MAX_SUMMARY_WORDS} words`);
    }
    for (const [key, child] of Object.entries(node))
      if (!['example', 'examples', 'default'].includes(key)) walk(child, `${at}.${key}`);
  };
  walk(document, 'document');
  return [...faults];
}

const isFiller = ({ description }: Json): boolean =>
  typeof description === 'string' && description.length <= MAX_FILLER && !COMPLETE.has(description);

/** A property is described and shown; an object with properties has a name of its own; a choice has choices. */
function schemaFaults({ at, schema }: DocumentLocation, components: Record<string, Json>): string[] {
  const {
    properties = {},
    required = [],
    enum: choices,
  } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
    enum?: unknown[];
  };
  const isNamed = Object.values(components).includes(schema);
  const isInline = Object.keys(properties).length > 0 && !isNamed;
  return [
    ...(isInline ? [`${at} is an object without a name`] : []),
    ...(choices && (choices.length === 0 || choices.some((choice) => isEmpty(choice, schema)))
      ? [`${at} has an empty choice`]
      : []),
    ...required.filter((name) => !properties[name]).map((name) => `${at}.${name} is required and not there`),
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(described(property) || described(referred(property, components))
        ? []
        : [`${at}.${name} is not described`]),
      ...(isFiller(property) ? [`${at}.${name} is described by little more than its name`] : []),
      ...(isShown(property) ? [] : [`${at}.${name} has no example`]),
    ]),
  ];
}

/** A choice without meaning. `null` is allowed if the schema is nullable. */
const isEmpty = (choice: unknown, { nullable }: Json): boolean =>
  choice === '' || (choice === null && !nullable);

/**
 * Texts and numbers need an example, a choice or a default; all other types, including files, are clear from their
 * type.
 */
function isShown(property: Json): boolean {
  const isText = property.type === 'string' && property.format !== 'binary';
  const needed = isText || property.type === 'number' || property.type === 'integer';
  return !needed || [property.example, property.enum, property.default].some((value) => value !== undefined);
}

/** Objects reachable from a body refuse unlisted properties, or describe the additional ones. */
function closedFaults(operations: Operation[], components: Record<string, Json>): string[] {
  const seen = new Set<unknown>();
  const open: string[] = [];
  const walk = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const schema = node as Json;
    const said = (othersOf(schema) as Json | undefined)?.description !== undefined;
    if (schema.properties && schema.additionalProperties !== false && !said)
      open.push(`${at} takes unknown properties`);
    if (typeof schema.$ref === 'string') {
      const referred = referredName(schema.$ref);
      walk(components[referred], referred);
    }
    for (const [key, child] of Object.entries(schema)) walk(child, `${at}.${key}`);
  };
  for (const { operation } of operations) walk(operation.requestBody, operation.operationId);
  return open;
}

/** Every example is valid for its schema. */
function exampleFaults(document: OpenAPIObject, schemas: Schemas): string[] {
  const faults: string[] = [];
  const walk = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { example, schema } = node as { example?: unknown; schema?: Json };
    const of = schema ?? (isSchema(node as Json) ? (node as Json) : undefined);
    if (example !== undefined && of && !schemas.validator(of)(example))
      faults.push(`${at}: ${JSON.stringify(example)} is no example`);
    for (const [key, child] of Object.entries(node)) if (key !== 'example') walk(child, `${at}.${key}`);
  };
  walk(document.paths, 'paths');
  walk(document.components, 'components');
  return faults;
}

/**
 * References must resolve, and every component must be referenced. `Error` and related schemas are exempt because any
 * operation may return them.
 */
function referenceFaults(document: OpenAPIObject): string[] {
  const known = new Set(
    Object.entries(document.components ?? {})
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts as Json).map((name) => `#/components/${kind}/${name}`)),
  );
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!),
  );
  return [
    ...[...used].filter((reference) => !known.has(reference)).map((reference) => `${reference} ${LOST}`),
    ...[...known].filter((reference) => !used.has(reference)).map((reference) => `${reference} is not used`),
  ];
}

/** Returns every schema in the document, including nested ones. */
function locationsOf(document: OpenAPIObject): DocumentLocation[] {
  const places: DocumentLocation[] = [];
  const walk = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isSchema(node as Json)) places.push({ at, schema: node as Json });
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'example' && key !== 'default') walk(child, key === 'properties' ? at : `${at}.${key}`);
    }
  };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) walk(schema, name);
  for (const { operation } of operationsOf(document)) walk(operation, operation.operationId);
  return places;
}

const isSchema = (node: Json): boolean =>
  typeof node.type === 'string' && !('in' in node) && !('scheme' in node);

const described = (node: Json | undefined): boolean =>
  typeof node?.description === 'string' && node.description.trim() !== '';

function referred(property: Json, components: Record<string, Json>): Json | undefined {
  const { $ref, allOf, items } = property as { $ref?: string; allOf?: Json[]; items?: Json };
  if (typeof $ref === 'string') return components[referredName($ref)];
  const within = allOf?.[0] ?? items;
  return within && referred(within, components);
}
