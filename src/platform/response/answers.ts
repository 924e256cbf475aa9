import type { Row, RowShape } from '../database/row-shape.js';

/**
 * A resource as a statement returned it. It goes to the caller as JSON straight from its text; its shape selects no
 * more than the document shows.
 */
export class Stored<T> {
  constructor(
    private readonly shape: RowShape<T>,
    private readonly row: Row,
    private readonly more: Readonly<Record<string, string>> = {},
  ) {}

  /** One property, as text. */
  text(property: keyof T & string): string | null {
    return this.shape.text(this.row, property);
  }

  toObject(): T {
    return this.shape.toObject(this.row);
  }

  /** The same with further members, given as JSON. */
  with(more: Readonly<Record<string, string>>): Stored<T> {
    return new Stored(this.shape, this.row, { ...this.more, ...more });
  }

  /** `readsOnly` is asked where what is shown depends on who looks. */
  toJsonText(readsOnly: () => boolean): string {
    const { shape } = this;
    return shape.toJson(this.row, this.more, shape.isGuarded && readsOnly());
  }
}

/** A page of stored resources. `envelope` holds the members beside `items`. */
export class StoredPage<T> {
  constructor(
    readonly items: readonly Stored<T>[],
    readonly envelope: Readonly<Record<string, unknown>>,
  ) {}

  toJsonText(readsOnly: () => boolean): string {
    const rest = JSON.stringify({ count: this.items.length, ...this.envelope }).slice(1);
    return `{"items":[${this.items.map((item) => item.toJsonText(readsOnly)).join(',')}],${rest}`;
  }
}

/** An answer with another of the operation's declared statuses than its ordinary one. */
export class Reply<T> {
  constructor(
    readonly status: number,
    readonly body: T,
  ) {}
}
