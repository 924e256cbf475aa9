import type { Row, RowShape } from '../database/row-shape.js';
import type { Page } from '../lists/page.js';

/**
 * A resource as returned by a statement. It is sent to the caller as JSON built directly from its text; its shape
 * selects only documented properties.
 */
export class StoredResource<T> {
  constructor(
    private readonly shape: RowShape<T>,
    private readonly row: Row,
    private readonly members: Readonly<Record<string, string>> = {},
    private readonly rows?: Rows,
  ) {}

  /** Returns a property as text. */
  text(property: keyof T & string): string | null {
    return this.shape.text(this.row, property);
  }

  toObject(): T {
    return this.shape.toObject(this.row);
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
    const { shape, rows } = this;
    const more = rows ? { ...this.members, ...textsOf(rows, readsOnly) } : this.members;
    return shape.toJson(this.row, more, shape.isGuarded && readsOnly());
  }
}

/** Additional lists of rows in a response, by name. */
type Rows = Readonly<Record<string, readonly StoredResource<unknown>[]>>;

const listOf = (rows: readonly StoredResource<unknown>[], readsOnly: () => boolean): string =>
  `[${rows.map((row) => row.toJsonText(readsOnly)).join(',')}]`;

const textsOf = (rows: Rows, readsOnly: () => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, listOf(list, readsOnly)]));

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

  /** Yields the response as JSON in pieces, so that not more than one large item is in memory as text. */
  *toJsonPieces(readsOnly: () => boolean): Generator<string> {
    yield '{';
    for (const [name, list] of Object.entries({ items: this.items, ...this.rows })) {
      yield `${JSON.stringify(name)}:[`;
      let separator = '';
      for (const item of list) {
        yield separator + item.toJsonText(readsOnly);
        separator = ',';
      }
      yield '],';
    }
    yield JSON.stringify({ count: this.items.length, ...this.envelope }).slice(1);
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
