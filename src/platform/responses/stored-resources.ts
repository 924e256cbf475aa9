import { JsonWriter } from '../../lib/json/json-writer.js';
import { EncodedRow } from '../database/encoded-row.js';
import type { Row, RowShape } from '../database/row-shape.js';
import type { Page } from '../lists/page.js';

/**
 * A resource as returned by a statement. It is sent to the caller as JSON built directly from its text; its shape
 * selects only documented properties.
 */
export class StoredResource<T> {
  constructor(
    private readonly shape: RowShape<T>,
    private readonly row: Row | EncodedRow,
    private readonly members: Readonly<Record<string, string>> = {},
    private readonly rows?: Rows,
  ) {}

  /** Returns a property as text. */
  text(property: keyof T & string): string | null {
    return this.shape.text(this.row, property);
  }

  toObject(): T {
    return this.shape.toObject(this.texts);
  }

  /** Returns the row with another shape that reads the same columns. */
  withShape(shape: RowShape<T>): StoredResource<T> {
    return new StoredResource(shape, this.row, this.members, this.rows);
  }

  /** Returns the resource with additional members, given as JSON. */
  withMembers(more: Readonly<Record<string, string>>): StoredResource<T> {
    return new StoredResource(this.shape, this.row, { ...this.members, ...more }, this.rows);
  }

  /** Returns the resource with additional lists of rows, which are filtered for the caller like any row. */
  withRows(rows: Rows): StoredResource<T> {
    return new StoredResource(this.shape, this.row, this.members, { ...this.rows, ...rows });
  }

  /** `readsOnly` is called only if the output depends on the permissions of the caller. */
  toJsonText(readsOnly: () => boolean): string {
    const { shape } = this;
    return shape.toJson(this.texts, this.more(readsOnly), shape.isGuarded && readsOnly());
  }

  /** Writes what `toJsonText` returns. */
  writeTo(out: JsonWriter, readsOnly: () => boolean): void {
    const { shape, row } = this;
    if (row instanceof EncodedRow)
      shape.writeJson(out, row, this.more(readsOnly), shape.isGuarded && readsOnly());
    else out.json(this.toJsonText(readsOnly));
  }

  private get texts(): Row {
    return this.row instanceof EncodedRow ? this.row.texts() : this.row;
  }

  private more(readsOnly: () => boolean): Readonly<Record<string, string>> {
    return this.rows ? { ...this.members, ...textsOf(this.rows, readsOnly) } : this.members;
  }
}

/** Additional lists of rows in a response, by name. */
type Rows = Readonly<Record<string, readonly StoredResource<unknown>[]>>;

const listOf = (rows: readonly StoredResource<unknown>[], readsOnly: () => boolean): string =>
  `[${rows.map((row) => row.toJsonText(readsOnly)).join(',')}]`;

const textsOf = (rows: Rows, readsOnly: () => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, listOf(list, readsOnly)]));

/** Size in bytes from which a piece of a page is sent before the next one is written. */
const MAX_PIECE = 1024 * 1024;

/** A page of stored resources. `envelope` and `rows` contain its members besides `items`. */
export class StoredPage<T> {
  constructor(
    readonly items: readonly StoredResource<T>[],
    readonly envelope: Readonly<Record<string, unknown>>,
    readonly rows: Rows = {},
  ) {}

  /**
   * Converts the page to a member of a response, with additional members. Only responses that are a page are sent as
   * text.
   */
  toObject(more: Readonly<Record<string, unknown>> = {}): Page<T> {
    const items = this.items.map((item) => item.toObject());
    return { ...this.envelope, ...more, count: items.length, items } as unknown as Page<T>;
  }

  /**
   * Yields the response as JSON in UTF-8, with a character for each byte: in one piece, or in pieces from `MAX_PIECE` on, so
   * that a reader can delay the next one.
   */
  *toJson(readsOnly: () => boolean): Generator<string> {
    const out = new JsonWriter();
    out.json('{');
    for (const [name, list] of Object.entries({ items: this.items, ...this.rows })) {
      out.json(`${JSON.stringify(name)}:[`);
      for (const item of list) {
        item.writeTo(out.separate(), readsOnly);
        if (out.length > MAX_PIECE) yield out.take();
      }
      out.json('],');
    }
    out.json(JSON.stringify({ count: this.items.length, ...this.envelope }).slice(1));
    yield out.take();
  }
}

/**
 * A response that a repository has written as JSON, with documented members only. For responses that are too large to
 * be parsed, copied and serialized again.
 */
export class SerializedResponse {
  constructor(private readonly text: string) {}

  toJsonText(): string {
    return this.text;
  }
}

/** Returned by handlers that have already sent the response, such as streams. */
export const RESPONSE_SENT = Symbol('answered');

/** A response with a declared status other than the default one of the operation. */
export class Reply<T> {
  constructor(
    readonly status: number,
    readonly body: T,
  ) {}
}
