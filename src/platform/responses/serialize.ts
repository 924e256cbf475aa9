import { redact } from '../audit/redact.js';
import { shapeOf, type Shape } from './shape.js';

type Json = Record<string, unknown>;

/** Copies what a schema shows of a value. */
export type Copier = (value: unknown) => unknown;

/**
 * A function that copies exactly the properties that `schema` documents: an undocumented one never leaves the server,
 * whatever a service returns. With `reading` it is what is shown to those who only read. Dates become ISO text; `null` stays only where the schema says so.
 */
export function compileCopier(schema: Json, components: Json, reading = false): Copier {
  const shape = shapeOf(schema, components, reading);
  return (value) => copied(shape, value);
}

/** What of a value is shown; `undefined` for a list or object where none is. */
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
