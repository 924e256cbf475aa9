import type { Type } from '@nestjs/common';
import { fieldsOf, type Field, type FieldKind } from '../fields/fields.js';
import { compileTextCopier, type TextCopier } from '../responses/json-text.js';
import { columnName } from './naming.js';

/** A row as the driver hands it over: every value in PostgreSQL's own text, `null` where there is none. */
export type Row = readonly (string | null)[];

/** A value that a statement computes beside the columns of its table. */
export interface Computed {
  property: string;
  kind: FieldKind;
  /** A trusted SQL expression. */
  sql: string;
  /** Makes JSON of the text that the statement returned, where that is not what it should be yet. */
  write?: (text: string) => string;
}

/**
 * SQL: the end of what a computed value reads in the order of an index, of which it takes only so many. The planner does
 * not see the number, so it walks the index; where it expects fewer rows, as of a table that it knows nothing of, it would
 * read them all, however many there are, and sort them.
 */
export const firstOf = (most: number): string => `LIMIT (SELECT ${most})`;

/**
 * How rows of a resource are selected, and how they become JSON or objects. Built from the documented fields of the
 * class, so what is selected is what the document says. Values stay text from the driver to the socket: for a page of
 * 100 that costs a third of parsing rows and writing them again.
 */
export class RowShape<T> {
  /** The select list, for SELECT and RETURNING. `t` is the alias of the table. */
  readonly columns: string;
  /** Whether what is shown depends on who looks. */
  readonly isGuarded: boolean;
  private readonly parts: readonly Part[];
  /** The same for those who only read; nothing where they are not shown a value. */
  private readonly forReaders: readonly (Part | undefined)[];
  private readonly selects = new Map<string, string>();
  private readonly index: ReadonlyMap<string, number>;

  /** With `only`, of these properties alone. */
  constructor(type: Type<T>, computed: readonly Computed[] = [], only?: ReadonlySet<string>) {
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
    this.parts = all.map(({ property, kind, write }) => ({
      property,
      kind,
      write: write ?? copierOf(fields.get(property)),
      key: `${JSON.stringify(property)}:`,
    }));
    this.forReaders = this.parts.map((part) => partForReaders(part, fields.get(part.property)));
    this.isGuarded = this.parts.some((part, i) => part !== this.forReaders[i]);
    this.index = new Map(all.map(({ property }, position) => [property, position]));
  }

  /** `SELECT` with these columns; `rest` is what follows them. Built once, as it is the same for every request. */
  select(rest: string): string {
    let text = this.selects.get(rest);
    if (text === undefined) this.selects.set(rest, (text = `SELECT ${this.columns} ${rest}`));
    return text;
  }

  /** The text of one property. */
  text(row: Row, property: keyof T & string): string | null {
    const position = this.index.get(property);
    if (position === undefined) throw new Error(`${property} is not selected`);
    return row[position] ?? null;
  }

  /**
   * The row as a JSON object; `more` are further members with their JSON. Properties without a value are left out, and what
   * is not for those who only read, where it is for them.
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

  /** The row as an object. */
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

type Part = Omit<Computed, 'sql'> & { key: string };

/** What those who only read are shown of a value: nothing of it, or nothing of the secrets in it. */
function partForReaders(part: Part, field: Field | undefined): Part | undefined {
  if (field?.shownFrom) return undefined;
  const shape = field?.shapeForReaders?.();
  return shape === undefined || shape === 'all' ? part : { ...part, write: compileTextCopier(shape) };
}

const copiers = new WeakMap<Field, TextCopier | undefined>();

/** What copies of a JSON value what the document shows of it; none where it shows all. Compiled once for each field. */
function copierOf(field: Field | undefined): TextCopier | undefined {
  if (!field?.shape) return undefined;
  if (!copiers.has(field)) {
    const shape = field.shape();
    copiers.set(field, shape === 'all' ? undefined : compileTextCopier(shape));
  }
  return copiers.get(field);
}

/** The copier of a property of another class than the one whose rows are read. */
export const copierOfProperty = (type: Type, name: string): TextCopier | undefined =>
  copierOf(fieldsOf(type).find(({ property }) => property === name));

/** PostgreSQL's text of a value as JSON. */
export function jsonOf({ kind, write }: Pick<Computed, 'kind' | 'write'>, value: string): string {
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

/** PostgreSQL's `2026-11-21 05:28:30.5+00` as `2026-11-21T05:28:30.500Z`. */
export function isoDate(text: string): string {
  const end = text.length - '+00'.length;
  if (end >= 23) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const time = end === 19 ? `${text.slice(11, end)}.` : text.slice(11, end);
  return `${text.slice(0, 10)}T${time.padEnd(12, '0')}Z`;
}

function instant(text: string): Date {
  return new Date(isoDate(text));
}
