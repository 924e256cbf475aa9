import type { Row, RowShape } from '../database/row-shape.js';
import type { Page } from '../lists/page.js';

/**
 * A resource as a statement returned it. It goes to the caller as JSON straight from its text; its shape selects no
 * more than the document shows.
 */
export class Stored<T> {
  constructor(
    private readonly shape: RowShape<T>,
    private readonly row: Row,
    private readonly more: Readonly<Record<string, string>> = {},
    private readonly rows?: Rows,
  ) {}

  /** One property, as text. */
  text(property: keyof T & string): string | null {
    return this.shape.text(this.row, property);
  }

  toObject(): T {
    return this.shape.toObject(this.row);
  }

  /** The same row in another form, which reads the same columns. */
  shownAs(shape: RowShape<T>): Stored<T> {
    return new Stored(shape, this.row, this.more, this.rows);
  }

  /** The same with further members, given as JSON. */
  with(more: Readonly<Record<string, string>>): Stored<T> {
    return new Stored(this.shape, this.row, { ...this.more, ...more }, this.rows);
  }

  /** The same with lists of further rows, which are shown to who asks as any row is. */
  withRows(rows: Rows): Stored<T> {
    return new Stored(this.shape, this.row, this.more, { ...this.rows, ...rows });
  }

  /** `readsOnly` is asked where what is shown depends on who looks. */
  toJsonText(readsOnly: () => boolean): string {
    const { shape, rows } = this;
    const more = rows ? { ...this.more, ...textsOf(rows, readsOnly) } : this.more;
    return shape.toJson(this.row, more, shape.isGuarded && readsOnly());
  }
}

/** Lists of rows beside others in an answer, by their names there. */
type Rows = Readonly<Record<string, readonly Stored<unknown>[]>>;

const listOf = (rows: readonly Stored<unknown>[], readsOnly: () => boolean): string =>
  `[${rows.map((row) => row.toJsonText(readsOnly)).join(',')}]`;

const textsOf = (rows: Rows, readsOnly: () => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, listOf(list, readsOnly)]));

/** A page of stored resources. `envelope` and `rows` hold the members beside `items`. */
export class StoredPage<T> {
  constructor(
    readonly items: readonly Stored<T>[],
    readonly envelope: Readonly<Record<string, unknown>>,
    readonly rows: Rows = {},
  ) {}

  /** As a member of an answer, with further members: only an answer that is a page goes out as the text that was read. */
  toObject(more: Readonly<Record<string, unknown>> = {}): Page<T> {
    const items = this.items.map((item) => item.toObject());
    return { ...this.envelope, ...more, count: items.length, items } as unknown as Page<T>;
  }

  toJsonText(readsOnly: () => boolean): string {
    const rest = JSON.stringify({ count: this.items.length, ...this.envelope }).slice(1);
    let lists = `{"items":${listOf(this.items, readsOnly)},`;
    const more = textsOf(this.rows, readsOnly);
    for (const name in more) lists += `${JSON.stringify(name)}:${more[name]},`;
    return lists + rest;
  }
}

/**
 * An answer that a repository wrote as JSON, of documented members alone. For those that are too large to be read, copied and
 * written once more.
 */
export class Written {
  constructor(private readonly text: string) {}

  toJsonText(): string {
    return this.text;
  }
}

/** What a handler returns that has answered by itself, as with a stream. */
export const ANSWERED = Symbol('answered');

/** An answer with another of the operation's declared statuses than its ordinary one. */
export class Reply<T> {
  constructor(
    readonly status: number,
    readonly body: T,
  ) {}
}
