import type { Type } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { getMetadataArgsStorage, type ColumnOptions } from 'typeorm';
import type { Changes } from './changes.js';
import { columnName } from './naming.js';
import type { Statement } from './query.js';

const names = new Map<string, string>();

/**
 * Returns a statement that stays prepared on every connection that runs it. Only for constant texts: a text that a
 * caller could vary would fill the server's memory.
 *
 * It has one plan, which is made for any values, so it must have a single good one, by an index. Planning each execution
 * would cost PostgreSQL 0.2 ms, which is more than a read by key. If the best plan depends on the values, leave the
 * statement unnamed: it is then planned for its values.
 */
export function prepared(text: string, values: readonly unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = createHash('sha1').update(text).digest('base64url')));
  return { name, text, values };
}

/**
 * Returns a statement whose text depends on the request: columns to change, a sort, the counts of a summary. Each
 * connection keeps the most recently used ones prepared, so that no caller displaces the statements of others for long.
 */
export function shaped(text: string, values: readonly unknown[]): Statement {
  return { shaped: true, text, values };
}

/** Returns an `INSERT` without `RETURNING`. Keys are properties of `type`; `undefined` leaves the column's default. */
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

/** Like `insertion`, but only inserts the row if a condition holds; `condition` numbers its parameters from `next`. */
export function insertionWhere<T extends object>(
  type: Type<T>,
  table: string,
  row: NoInfer<Changes<T>>,
  condition: (next: number) => { text: string; values: unknown[] },
): Statement {
  const types = columnTypesOf(type);
  const entries = parametersOf(type, row);
  const columns = entries.map(({ column }) => column).join(', ');
  // Unlike in `VALUES`, the types of parameters in a `SELECT` are not inferred from their columns.
  const places = entries.map(({ property }, i) => `$${i + 1}::${types.get(property) ?? 'text'}`).join(', ');
  const { text, values } = condition(entries.length + 1);
  return {
    text: `INSERT INTO ${table} AS t (${columns}) SELECT ${places} WHERE ${text}`,
    values: [...entries.map(({ value }) => value), ...values],
  };
}

/**
 * Returns an `UPDATE … WHERE` without `RETURNING`: a single statement, so that no concurrent write is lost. `where`
 * contains conditions on `t` that number their parameters from 1; `values` are those parameters.
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

/** Returns the statement with `RETURNING columns`. */
export function returning({ text, values }: Statement, columns: string): Statement {
  return shaped(`${text} RETURNING ${columns}`, values);
}

/** Returns the columns of all properties of a class, including hidden ones. */
export const columnsOf = (type: Type): string[] => [...columnTypesOf(type).keys()].map(columnName);

/** Returns each given property with its column and its value in the driver's form. */
function parametersOf(type: Type, values: object): { property: string; column: string; value: unknown }[] {
  const types = columnTypesOf(type);
  return Object.entries(values as Record<string, unknown>).flatMap(([property, value]) => {
    if (value === undefined) return [];
    const json = types.get(property)?.startsWith('json') && value !== null;
    return [{ property, column: columnName(property), value: json ? JSON.stringify(value) : value }];
  });
}

const columnTypes = new WeakMap<Type, ReadonlyMap<string, string>>();

/** Returns the PostgreSQL types of the columns of a class by property, including hidden ones. */
function columnTypesOf(type: Type): ReadonlyMap<string, string> {
  let types = columnTypes.get(type);
  if (!types) {
    const columns = getMetadataArgsStorage().columns.filter(
      ({ target }) => typeof target === 'function' && (target === type || type.prototype instanceof target),
    );
    types = new Map(columns.map(({ propertyName, options }) => [propertyName, typeName(options)]));
    columnTypes.set(type, types);
  }
  return types;
}

const typeName = ({ type, array, enumName }: ColumnOptions): string =>
  `${enumName ?? (type as string)}${array ? '[]' : ''}`;
