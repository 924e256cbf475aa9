import pg from 'pg';
import { propertyName } from './naming.js';

/** SQL and its parameters; `statements.ts` has what decides whether it stays prepared. */
export interface Statement {
  /** Prepared for good under this name, which always carries the same text. */
  name?: string;
  /** Prepared for as long as it is among those that a connection used last. */
  shaped?: true;
  text: string;
  values: readonly unknown[];
}

/** What `pg` has of a connection beyond its types: what is prepared on it, by name, and how that is given up. */
interface Connection {
  parsedStatements: Record<string, string>;
  stream: { cork(): void; uncork(): void };
  close(message: { type: 'S'; name: string }): void;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  describe(): void;
}

/** What `pg` has of a query beyond its types: a class to extend. */
interface PgQuery {
  name?: string;
  readonly text: string;
  readonly _result: { rows: unknown[]; _types?: unknown };
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleRowDescription(message: { fields: { name: string }[] }): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
}
type Done<T> = (error: Error | undefined, result?: { rows: T[] }) => void;
const PgQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Done<never>,
) => PgQuery;

/** How many statements that callers shape stay prepared on one connection: more than a busy one has in use at once. */
export const MOST_SHAPED = 100;

/** The shaped statements that are prepared on a connection, those used longest ago first. */
class ShapedNames {
  private readonly names = new Map<string, string>();
  private made = 0;

  /** The name of a text here, and the name that has to make room for it. */
  take(text: string): { name: string; dropped?: string } {
    const known = this.names.get(text);
    const name = known ?? `shaped-${this.made++}`;
    this.names.delete(text);
    this.names.set(text, name);
    if (this.names.size <= MOST_SHAPED) return { name };
    const [oldest, dropped] = this.names.entries().next().value!;
    this.names.delete(oldest);
    return { name, dropped };
  }
}

const shapedNames = new WeakMap<Connection, ShapedNames>();

/** A statement on its way to PostgreSQL, prepared as it asks for on the connection that it meets. */
abstract class StatementQuery extends PgQuery {
  constructor(
    private readonly statement: Statement,
    callback: Done<never>,
  ) {
    super(statement.text, statement.values, callback);
    this.name = statement.name;
  }

  override submit(connection: Connection): Error | null {
    if (!this.statement.shaped) return super.submit(connection);
    let names = shapedNames.get(connection);
    if (!names) shapedNames.set(connection, (names = new ShapedNames()));
    const { name, dropped } = names.take(this.text);
    this.name = name;
    if (dropped === undefined) return super.submit(connection);
    // The message of the protocol for DEALLOCATE: it goes out with the statement and costs no round trip.
    connection.stream.cork();
    try {
      connection.close({ type: 'S', name: dropped });
      delete connection.parsedStatements[dropped];
      return super.submit(connection);
    } finally {
      connection.stream.uncork();
    }
  }
}

const undescribed = new WeakMap<Connection, Connection>();

/**
 * A query whose rows are lists of PostgreSQL's own texts. Nobody asks what its columns are called and of which types they are:
 * for a single row that would be most of the answer.
 */
export class TextQuery extends StatementQuery {
  override prepare(connection: Connection): void {
    let silent = undescribed.get(connection);
    if (!silent) {
      silent = Object.assign(Object.create(connection) as Connection, { describe: () => undefined });
      undescribed.set(connection, silent);
    }
    super.prepare(silent);
  }

  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this._result.rows.push(fields);
  }
}

/** `COPY … FROM STDIN` of rows that are in memory. */
export class CopyQuery {
  private failure?: Error;

  constructor(
    private readonly text: string,
    private readonly rows: Buffer,
    readonly callback: (error?: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFromChunk(this.rows);
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.failure = error;
    // A lost connection sends nothing after it.
    this.callback(error);
  }

  handleCommandComplete(): void {
    // What it says is how many rows there were.
  }

  handleReadyForQuery(): void {
    if (!this.failure) this.callback();
  }
}

const COUNTED = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const usual = pg.types as { getTypeParser(oid: number): (text: string) => unknown };
const PARSED = {
  getTypeParser: (oid: number) => (COUNTED.has(oid) ? numberOf : usual.getTypeParser(oid)),
};

/** A query whose rows are objects: columns by their property names, values as JavaScript has them. */
export class ObjectQuery<T> extends StatementQuery {
  constructor(statement: Statement, callback: Done<T>) {
    super(statement, callback);
    this._result._types = PARSED;
  }

  override handleRowDescription(message: { fields: { name: string }[] }): void {
    for (const field of message.fields) field.name = propertyName(field.name);
    super.handleRowDescription(message);
  }
}

/** A count or sum. What a number cannot hold exactly is a fault and no answer. */
function numberOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error(`${text} is too large a number`);
  return value;
}
