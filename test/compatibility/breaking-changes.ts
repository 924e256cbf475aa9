import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, type Json, type Operation } from '../../src/openapi/operations.js';
import { SchemaChanges, type BreakingChange } from './schema-changes.js';

/** Names of the operation in the document and in scopes, of which the changelog can contain either. */
const nameOf = (operationId: string): string => operationId.replace('_', '.');

/**
 * Returns the changes between two documents that can break a client of the first: requests that were valid and are
 * refused, responses with less or other content, and names that generated code contains. Texts and examples are free.
 */
export function breakingChanges(before: OpenAPIObject, after: OpenAPIObject): BreakingChange[] {
  const changes: BreakingChange[] = [];
  const schemas = new SchemaChanges(componentsOf(before), componentsOf(after), changes);
  const served = new Map(
    operationsOf(after).map((entry) => [`${entry.method} ${entry.path}`, entry.operation]),
  );
  for (const { method, path, operation } of operationsOf(before)) {
    const now = served.get(`${method} ${path}`);
    const subject = nameOf(operation.operationId);
    const say = (change: string) => changes.push({ subject, change });
    if (!now) {
      say(`${method.toUpperCase()} ${path} was removed`);
      continue;
    }
    if (now.operationId !== operation.operationId) say(`is now ${nameOf(now.operationId)}`);
    const lost = without(operation['x-scopes'] as string[], now['x-scopes'] as string[]);
    if (lost.length > 0) say(`no longer accepts the scopes ${lost.join(', ')}`);
    compareParameters([operation, before], [now, after], { subject, say, schemas });
    compareBodies(operation, now, { subject, say, schemas });
    compareResponses([operation, before], [now, after], { subject, say, schemas });
  }
  const removed = without(Object.keys(componentsOf(before)), Object.keys(componentsOf(after)));
  changes.push(...removed.map((subject) => ({ subject, change: 'the component was removed or renamed' })));
  return changes;
}

interface Context {
  subject: string;
  say: (change: string) => void;
  schemas: SchemaChanges;
}
type Version = readonly [Operation, OpenAPIObject];

const componentsOf = ({ components }: OpenAPIObject): Record<string, Json> =>
  (components?.schemas ?? {}) as Record<string, Json>;

const without = (all: readonly string[] = [], others: readonly string[] = []): string[] =>
  all.filter((one) => !others.includes(one));

/** Returns a parameter or response, which operations share or declare themselves. */
function resolved(node: Json, { components }: OpenAPIObject): Json {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(String(node.$ref)) ?? [];
  return kind ? ((components as unknown as Record<string, Record<string, Json>>)[kind]?.[name] ?? {}) : node;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Json;
  content?: Record<string, { schema: Json }>;
}

function parametersOf([{ parameters = [] }, document]: Version): Map<string, Parameter> {
  const all = parameters.map((parameter) => resolved(parameter, document) as unknown as Parameter);
  return new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function compareParameters(before: Version, after: Version, { subject, say, schemas }: Context): void {
  const [old, now] = [parametersOf(before), parametersOf(after)];
  for (const [key, parameter] of old) {
    const kept = now.get(key);
    if (!kept) say(`the ${parameter.in} parameter ${parameter.name} was removed`);
    else if (Boolean(parameter.content) !== Boolean(kept.content))
      say(
        `the ${parameter.in} parameter ${parameter.name} is ${kept.content ? 'JSON' : 'text'} in generated code`,
      );
    else {
      const [from, to] = [parameter, kept].map(
        ({ schema, content }) => schema ?? content?.['application/json']?.schema,
      );
      schemas.compare(from ?? {}, to ?? {}, { subject, at: parameter.name, isInput: true });
    }
  }
  for (const [key, { name, required }] of now)
    if (required && !old.get(key)?.required) say(`the parameter ${name} is required`);
}

interface Content {
  required?: boolean;
  content?: Record<string, { schema?: Json }>;
}

function compareBodies(
  { requestBody }: Operation,
  { requestBody: body }: Operation,
  { subject, say, schemas }: Context,
): void {
  const [old, now] = [requestBody, body] as (Content | undefined)[];
  if (now?.required && !old?.required) say('the body is required');
  if (old && !now) say('the body was removed');
  if (old && now) compareContents(old, now, { subject, say, schemas }, { at: 'body', isInput: true });
}

function compareResponses(before: Version, after: Version, { subject, say, schemas }: Context): void {
  const [operation, document] = before;
  for (const [status, response] of Object.entries(operation.responses)) {
    const now = after[0].responses[status];
    if (!now) {
      say(`the response ${status} was removed`);
      continue;
    }
    const [from, to] = [resolved(response, document), resolved(now, after[1])];
    compareContents(from, to, { subject, say, schemas }, { at: status, isInput: false });
  }
}

function compareContents(
  { content: before = {} }: Content,
  { content: after = {} }: Content,
  { subject, say, schemas }: Context,
  { at, isInput }: { at: string; isInput: boolean },
): void {
  for (const [type, { schema = {} }] of Object.entries(before)) {
    const now = after[type];
    if (!now) say(`${at}: the media type ${type} was removed`);
    else schemas.compare(schema, now.schema ?? {}, { subject, at, isInput });
  }
}
