import { redact } from '../audit/redact.js';
import { shapeOf, type Shape } from './shape.js';

type Json = Record<string, unknown>;

/** Copies the documented part of a value. */
export type Copier = (value: unknown) => unknown;

/**
 * Compiles a function that copies exactly the properties that `schema` documents, so that undocumented ones never leave
 * the server. With `reading`, copies the part that callers with read-only access see. Dates become ISO text; `null` is
 * kept only in nullable properties.
 */
export function compileCopier(schema: Json, components: Json, reading = false): Copier {
  const shape = shapeOf(schema, components, reading);
  return (value) => copied(shape, value);
}

/** Returns the documented part of a value; `undefined` if the value is not the expected list or object. */
export function copied(shape: Shape, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (shape === 'all' || typeof value !== 'object' || value === null) return value;
  const { members, others, items, withoutSecrets } = shape;
  if (withoutSecrets) return redact((members ?? items) ? copied({ members, others, items }, value) : value);
  if (Array.isArray(value))
    return items && value.map((item) => copied(items, item)).filter((item) => item !== undefined);
  if (!members) return undefined;
  const copy: Json = {};
  for (const [name, member] of members) add(name, member);
  if (others) for (const name of Object.keys(value)) if (!members.has(name)) add(name, others);
  return copy;

  function add(name: string, { shape: of, nullable }: { shape: Shape; nullable: boolean }): void {
    const member = (value as Json)[name];
    if (member !== undefined && (member !== null || nullable)) copy[name] = copied(of, member);
  }
}
