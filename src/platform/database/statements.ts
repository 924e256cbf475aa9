import type { Type } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { fieldsOf } from '../fields.js';
import type { Statement } from './database.js';
import { columnName } from './naming.js';

/** Prepared statements cost memory on each connection, and the texts of a PATCH are as many as its combinations. */
const MOST_PREPARED = 500;
const names = new Map<string, string>();

/** A statement with a name that follows from its text. */
export function prepared(text: string, values: readonly unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined && names.size < MOST_PREPARED) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return { name, text, values };
}

/** `INSERT` without its RETURNING. Keys are properties of `type`; `undefined` is left to the column's default. */
export function insertion(type: Type, table: string, row: object): Statement {
  const entries = parametersOf(type, row);
  const columns = entries.map(({ column }) => column).join(', ');
  const places = entries.map((_, i) => `$${i + 1}`).join(', ');
  return {
    text: `INSERT INTO ${table} AS t (${columns}) VALUES (${places})`,
    values: entries.map(({ value }) => value),
  };
}

/**
 * `UPDATE … WHERE` without its RETURNING: one statement, so no concurrent write is lost. `where` holds conditions on `t`
 * that number their parameters from 1; `values` are those parameters.
 */
export function update(
  type: Type,
  table: string,
  changes: object,
  where: readonly string[],
  values: readonly unknown[],
): Statement {
  const entries = parametersOf(type, changes);
  const set = entries.map(({ column }, i) => `${column} = $${values.length + i + 1}`);
  return {
    text: `UPDATE ${table} AS t SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
    values: [...values, ...entries.map(({ value }) => value)],
  };
}

/** The statement with `RETURNING columns`, prepared. */
export function returning({ text, values }: Statement, columns: string): Statement {
  return prepared(`${text} RETURNING ${columns}`, values);
}

/** Each given property with its column, and its value as the driver takes it. */
function parametersOf(type: Type, values: object): { column: string; value: unknown }[] {
  const json = new Set(
    fieldsOf(type).flatMap(({ property, kind, source }) => (kind === 'json' && source ? [property] : [])),
  );
  return Object.entries(values as Record<string, unknown>).flatMap(([property, value]) =>
    value === undefined
      ? []
      : [
          {
            column: columnName(property),
            value: json.has(property) && value !== null ? JSON.stringify(value) : value,
          },
        ],
  );
}
