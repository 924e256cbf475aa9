import type { Type } from '@nestjs/common';
import type { JsonWriter } from '../../lib/json/json-writer.js';
import { fieldsOf, type Field } from '../fields/fields.js';
import { compileTextCopier, type TextCopier } from '../responses/json-text.js';
import { writeValue, type ValueForm } from './encoded-json.js';
import { LENGTH_SIZE, EncodedRow, lengthAt } from './encoded-row.js';
import { columnName } from './naming.js';

/** A row as returned by the driver: every value in PostgreSQL's text form, or `null`. */
export type Row = readonly (string | null)[];

/** A value that a statement computes in addition to the columns of its table. */
export interface Computed extends ValueForm {
  property: string;
  /** A trusted SQL expression. */
  sql: string;
  /** The expression for a row that the statement inserts, if it is cheaper. */
  sqlOfNew?: string;
}

/**
 * SQL `LIMIT` for a computed value that reads a limited number of rows in the order of an index. Because the planner
 * does not see the number, it scans the index. If it expected fewer rows, for example without statistics, it would
 * instead read and sort all of them, however many.
 */
export const firstRow = (max: number): string => `LIMIT (SELECT ${max})`;

/**
 * Defines how rows of a resource are selected and converted to JSON or objects, based on the documented fields of the
 * class. The selection therefore matches the document. Values remain text from the driver to the socket: for a page of
 * 100 rows, this costs a third of parsing and serializing them.
 */
export class RowShape<T> {
  /** Select list for `SELECT` and `RETURNING`. The alias of the table is `t`. */
  readonly columns: string;
  /** Select list for the `RETURNING` of an insert. */
  readonly columnsOfNew: string;
  /** Whether the output depends on the caller's permissions. */
  readonly isGuarded: boolean;
  private readonly parts: readonly Part[];
  /** The same parts for callers with read access only; `undefined` for values that they do not see. */
  private readonly forReaders: readonly (Part | undefined)[];
  private readonly selects = new Map<string, string>();
  private readonly index: ReadonlyMap<string, number>;

  /** With `only`, restricts the shape to these properties. */
  constructor(type: Type<Partial<T>>, computed: readonly Computed[] = [], only?: ReadonlySet<string>) {
    const fields = new Map(fieldsOf(type).map((field) => [field.property, field]));
    const taken = new Set(computed.map(({ property }) => property));
    const stored = [...fields.values()].flatMap(({ property, kind, source }) =>
      taken.has(property) || (!source && property !== 'id')
        ? []
        : [{ property, kind, sql: `t.${columnName(source ?? property)}` }],
    );
    const all: readonly Computed[] = [...stored, ...computed].filter(
      (each) => only?.has(each.property) ?? true,
    );
    this.columns = all.map(({ sql }) => sql).join(', ');
    this.columnsOfNew = all.map(({ sql, sqlOfNew = sql }) => sqlOfNew).join(', ');
    this.parts = all.map(({ property, kind, write }) => ({
      property,
      kind,
      write: write ?? copierOf(fields.get(property)),
      key: `${JSON.stringify(property)}:`,
    }));
    this.forReaders = this.parts.map((part) => readerPart(part, fields.get(part.property)));
    this.isGuarded = this.parts.some((part, i) => part !== this.forReaders[i]);
    this.index = new Map(all.map(({ property }, position) => [property, position]));
  }

  /**
   * Returns `SELECT` with these columns, followed by `rest`. The list is built once, since it is the same for all
   * requests.
   */
  select(rest: string): string {
    let text = this.selects.get(rest);
    if (text === undefined) this.selects.set(rest, (text = `SELECT ${this.columns} ${rest}`));
    return text;
  }

  /** Returns the text of a property. */
  text(row: Row | EncodedRow, property: keyof T & string): string | null {
    const position = this.index.get(property);
    if (position === undefined) throw new Error(`${property} is not selected`);
    return row instanceof EncodedRow ? row.text(position) : (row[position] ?? null);
  }

  /**
   * Returns the row as a JSON object; `more` contains further properties as JSON. Properties without a value are
   * omitted. With `readsOnly`, so are properties that require write access.
   */
  toJson(row: Row, more: Readonly<Record<string, string>> = {}, readsOnly = false): string {
    const parts = readsOnly ? this.forReaders : this.parts;
    let json = '';
    for (let i = 0; i < parts.length; i++) {
      const value = row[i];
      const part = parts[i];
      if (value === null || value === undefined || !part) continue;
      json += (json ? ',' : '') + part.key + jsonOf(part, value);
    }
    for (const name in more) json += `${json ? ',' : ''}${JSON.stringify(name)}:${more[name]}`;
    return `{${json}}`;
  }

  /** Writes an encoded row as `toJson` returns it. */
  writeJson(
    out: JsonWriter,
    { bytes, start }: EncodedRow,
    more: Readonly<Record<string, string>> = {},
    readsOnly = false,
  ): void {
    const parts = readsOnly ? this.forReaders : this.parts;
    out.byte(OPEN);
    let at = start;
    for (const part of parts) {
      const length = lengthAt(bytes, at);
      at += LENGTH_SIZE;
      if (length < 0) continue;
      if (part) writeValue(out.separate().copy(part.key), part, bytes, at, at + length);
      at += length;
    }
    for (const name in more) out.separate().json(`${JSON.stringify(name)}:${more[name]}`);
    out.byte(CLOSE);
  }

  /** Returns the row as an object. */
  toObject(row: Row): T {
    const object: Record<string, unknown> = {};
    this.parts.forEach((part, i) => {
      const value = row[i];
      if (value !== null && value !== undefined)
        object[part.property] = part.kind === 'date' ? instant(value) : JSON.parse(jsonOf(part, value));
    });
    return object as T;
  }
}

const [OPEN, CLOSE] = Buffer.from('{}') as unknown as [number, number];

/** `key` is the name as JSON in ASCII, followed by a colon. */
type Part = Omit<Computed, 'sql' | 'sqlOfNew'> & { key: string };

/** Returns the part that callers with read access see: nothing of the value, or the value without its secrets. */
function readerPart(part: Part, field: Field | undefined): Part | undefined {
  if (field?.minReaderRole) return undefined;
  const shape = field?.shapeForReaders?.();
  return shape === undefined || shape === 'all' ? part : { ...part, write: compileTextCopier(shape) };
}

const copiers = new WeakMap<Field, TextCopier | undefined>();

/**
 * Returns a copier for the documented part of a JSON value, or `undefined` if all of it is documented. Compiled once
 * per field.
 */
function copierOf(field: Field | undefined): TextCopier | undefined {
  if (!field?.shape) return undefined;
  if (!copiers.has(field)) {
    const shape = field.shape();
    copiers.set(field, shape === 'all' ? undefined : compileTextCopier(shape));
  }
  return copiers.get(field);
}

/** Returns the copier for a property of a class other than that of the rows. */
export const copierOfProperty = (type: Type, name: string): TextCopier | undefined =>
  copierOf(fieldsOf(type).find(({ property }) => property === name));

/** Converts PostgreSQL's text form of a value to JSON. */
export function jsonOf({ kind, write }: ValueForm, value: string): string {
  if (write) return write(value);
  switch (kind) {
    case 'plain':
      return `"${value}"`;
    case 'text':
      return JSON.stringify(value);
    case 'date':
      return `"${isoDate(value)}"`;
    case 'boolean':
      return value === 't' ? 'true' : 'false';
    case 'number':
    case 'json':
      return value;
  }
}

/** Converts PostgreSQL's `2026-11-21 05:28:30.5+00` to `2026-11-21T05:28:30.500Z`. */
export function isoDate(text: string): string {
  const end = text.length - '+00'.length;
  if (end >= 23) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const time = end === 19 ? `${text.slice(11, end)}.` : text.slice(11, end);
  return `${text.slice(0, 10)}T${time.padEnd(12, '0')}Z`;
}

function instant(text: string): Date {
  return new Date(isoDate(text));
}
