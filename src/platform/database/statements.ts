import type { Type } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { getMetadataArgsStorage } from 'typeorm';
import type { Changes } from './changes.js';
import type { Statement } from './database.js';
import { columnName } from './naming.js';

const names = new Map<string, string>();

/**
 * A statement that stays prepared on every connection that runs it. For texts that are constants where they are written: a
 * caller who could shape one would fill the server's memory.
 */
export function prepared(text: string, values: readonly unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = createHash('sha1').update(text).digest('base64url')));
  return { name, text, values };
}

/**
 * A statement whose text follows from what a caller asked for: columns to change, a sort, the counts of a summary. Each
 * connection keeps those prepared that it used last, so no caller takes another's place for long.
 */
export function shaped(text: string, values: readonly unknown[]): Statement {
  return { shaped: true, text, values };
}

/** `INSERT` without its RETURNING. Keys are properties of `type`; `undefined` is left to the column's default. */
export function insertion<T extends object>(
  type: Type<T>,
  table: string,
  row: NoInfer<Changes<T>>,
): Statement {
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
export function update<T extends object>(
  type: Type<T>,
  table: string,
  changes: NoInfer<Changes<T>>,
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

/** The statement with `RETURNING columns`. */
export function returning({ text, values }: Statement, columns: string): Statement {
  return shaped(`${text} RETURNING ${columns}`, values);
}

/** Each given property with its column, and its value as the driver takes it. */
function parametersOf(type: Type, values: object): { column: string; value: unknown }[] {
  const json = jsonColumnsOf(type);
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

const jsonColumns = new WeakMap<Type, ReadonlySet<string>>();

/** The properties of a class that are JSON columns, hidden ones too. */
function jsonColumnsOf(type: Type): ReadonlySet<string> {
  let json = jsonColumns.get(type);
  if (!json) {
    const columns = getMetadataArgsStorage().columns.filter(
      ({ target, options }) =>
        options.type === 'jsonb' &&
        typeof target === 'function' &&
        (target === type || type.prototype instanceof target),
    );
    jsonColumns.set(type, (json = new Set(columns.map(({ propertyName }) => propertyName))));
  }
  return json;
}
