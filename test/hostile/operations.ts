import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../../src/openapi/document.js';
import type { Client } from '../client.js';
import { Schemas, type Json } from './schemas.js';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

/** An operation as an attacker sees it. */
export interface Target {
  id: string;
  method: string;
  /** With `{names}`. */
  path: string;
  open: boolean;
  query: Parameter[];
  /** The schema of its JSON body. */
  body?: Json;
}

/** Every operation of a document. */
export function targetsOf(document: OpenAPIObject): Target[] {
  return operationsOf(document).map(({ path, method, operation }) => {
    const parameters = (operation.parameters ?? []) as unknown as Parameter[];
    const content = (operation.requestBody as { content?: Record<string, { schema: Json }> } | undefined)
      ?.content;
    return {
      id: operation.operationId.replace('_', '.'),
      method: method.toUpperCase(),
      path,
      open: operation.security?.length === 0,
      query: parameters.filter((parameter) => parameter.in === 'query'),
      body: content?.['application/json']?.schema,
    };
  });
}

/** The names of the ids in a path. */
export const idsIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** A path with its ids filled in; `{name}` without one stays. */
export const filled = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);

/**
 * Rows that the ids in paths can name, one of each kind, made through the API itself: the path `/a/{x}/b/{y}` is found in
 * what `POST /a/{x}/b` answers.
 */
export async function makeRows(
  document: OpenAPIObject,
  client: Client,
  token: string,
): Promise<Record<string, string>> {
  const schemas = new Schemas(document);
  const targets = targetsOf(document);
  const ids: Record<string, string> = {};
  const prefixes = [...new Set(targets.flatMap(({ path }) => prefixesOf(path)))].sort();
  for (const prefix of prefixes) {
    const name = idsIn(prefix).at(-1)!;
    const collection = prefix.slice(0, prefix.lastIndexOf('/'));
    const post = targets.find(({ method, path }) => method === 'POST' && path === collection);
    if (!post?.body) throw new Error(`${prefix} has no POST ${collection} that makes one`);
    const { status, body } = await client.post(filled(collection, ids), schemas.sample(post.body), { token });
    if (status !== 201) throw new Error(`POST ${collection} answered ${status} ${JSON.stringify(body)}`);
    ids[name] = body[name] ?? body.id;
  }
  return ids;
}

/** `/a/{x}/b/{y}/c` has `/a/{x}` and `/a/{x}/b/{y}`. */
function prefixesOf(path: string): string[] {
  return [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1));
}
