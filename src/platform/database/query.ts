import pg from 'pg';
import { ValidationError } from '../../lib/errors/errors.js';
import { withBinaryArrays } from './array-parameters.js';
import { propertyName } from './naming.js';
import type { RowMessage } from './row-client.js';

/** SQL with its parameters. `statements.ts` explains whether a statement stays prepared. */
export interface Statement {
  /** Name under which the statement stays prepared permanently. A name always has the same text. */
  name?: string;
  /** Whether the statement stays prepared only while it is among the most recently used ones of a connection. */
  shaped?: true;
  /**
   * Parameter of the request that determines the number of rows, if they all become one response. If two or more rows
   * exceed `MAX_RESPONSE_BYTES`, the statement is rejected with a `400` error that names it.
   */
  sizedBy?: string;
  /** Whether it was joined from reads of one turn of the event loop, so that the read lane need not wait for others. */
  isJoined?: true;
  text: string;
  values: readonly unknown[];
}

/**
 * Maximum size of the rows of a response, since a process holds several responses in memory. A single row may be larger,
 * so that every resource can be listed.
 */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Members of a `pg` connection that its types omit: the prepared statements by name, and how to release them. */
interface Connection {
  parsedStatements: Record<string, string>;
  stream: { cork(): void; uncork(): void; destroy(): void };
  close(message: { type: 'S'; name: string }): void;
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
  sync(): void;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  describe(): void;
}

/** Members of a `pg` query that its types omit: a class to extend. */
interface PgQuery {
  name?: string;
  readonly text: string;
  values: readonly unknown[];
  readonly _result: { rows: unknown[]; _types?: unknown };
  /** Error with which the query ends, whatever PostgreSQL or the connection reports. */
  _canceledDueToError: Error | false;
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleRowDescription(message: { fields: { name: string }[] }): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: { text: string }, connection: Connection): void;
}
type DataRow = RowMessage;
type Done<T> = (error: Error | undefined, result?: { rows: T[] }) => void;
const PgQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Done<never>,
) => PgQuery;

/** Maximum number of shaped statements prepared per connection: more than a busy connection uses at a time. */
export const MAX_SHAPED_STATEMENTS = 100;

/** Shaped statements prepared on a connection, least recently used first. */
class ShapedNames {
  private readonly names = new Map<string, string>();
  private made = 0;

  /** Returns the name of a text, and the name of the statement that is evicted for it, if any. */
  nameFor(text: string): { name: string; dropped?: string } {
    const known = this.names.get(text);
    const name = known ?? `shaped-${this.made++}`;
    this.names.delete(text);
    this.names.set(text, name);
    if (this.names.size <= MAX_SHAPED_STATEMENTS) return { name };
    const [oldest, dropped] = this.names.entries().next().value!;
    this.names.delete(oldest);
    return { name, dropped };
  }
}

const shapedNames = new WeakMap<Connection, ShapedNames>();

/** Sends a command without parameters together with the statement, at no additional round trip. */
function sendAlong(connection: Connection, text: string): void {
  connection.parse({ text });
  connection.bind({});
  connection.execute({});
}

/** A statement in flight to PostgreSQL, prepared as required on the connection that it gets. */
abstract class StatementQuery extends PgQuery {
  private bytes = 0;
  private connection?: Connection;

  constructor(
    private readonly statement: Statement,
    callback: Done<never>,
  ) {
    super(statement.text, statement.values, callback);
    this.name = statement.name;
  }

  override submit(connection: Connection): Error | null {
    this.connection = connection;
    if (!this.statement.shaped) return super.submit(connection);
    let names = shapedNames.get(connection);
    if (!names) shapedNames.set(connection, (names = new ShapedNames()));
    const { name, dropped } = names.nameFor(this.text);
    this.name = name;
    if (dropped === undefined) return super.submit(connection);
    // The protocol message for DEALLOCATE.
    connection.stream.cork();
    try {
      connection.close({ type: 'S', name: dropped });
      delete connection.parsedStatements[dropped];
      return super.submit(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  /** A statement that does not stay prepared is planned for its values, unlike others of the connection. */
  override prepare(connection: Connection): void {
    if (this.name !== undefined) return this.prepareNamed(connection);
    sendAlong(connection, 'SET plan_cache_mode = force_custom_plan');
    const sync = (): void => {
      sendAlong(connection, 'RESET plan_cache_mode');
      connection.sync();
    };
    super.prepare(Object.assign(Object.create(connection) as Connection, { sync }));
  }

  private prepareNamed(connection: Connection): void {
    const { values, statement } = this;
    if (!statement.shaped) this.values = withBinaryArrays(statement.text, values);
    super.prepare(connection);
    this.values = values;
  }

  override handleCommandComplete(message: { text: string }, connection: Connection): void {
    if (this.name === undefined && /^(SET|RESET)$/.test(message.text)) return;
    super.handleCommandComplete(message, connection);
  }

  override handleDataRow(message: DataRow): void {
    const { sizedBy } = this.statement;
    if (sizedBy === undefined) return this.addRow(message);
    if (this._canceledDueToError) return;
    this.bytes += message.length;
    const { length } = this._result.rows;
    if (length === 0 || this.bytes <= MAX_RESPONSE_BYTES) return this.addRow(message);
    this._canceledDueToError = new ValidationError(
      `${sizedBy} exceeds the maximum response size: at most ${length} of these items fit`,
    );
    // PostgreSQL would otherwise send the remaining rows, however many.
    this.connection!.stream.destroy();
  }

  protected addRow(message: DataRow): void {
    super.handleDataRow(message);
  }
}

const undescribed = new WeakMap<Connection, Connection>();

/**
 * A query whose rows are arrays of PostgreSQL's text values. The description of columns and types is not requested, as
 * it would be most of the response for a single row.
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

  protected override addRow({ fields }: DataRow): void {
    this._result.rows.push(fields);
  }
}

/** A query whose rows remain in the form in which they arrive. */
export class EncodedQuery extends TextQuery {
  protected override addRow(message: DataRow): void {
    this._result.rows.push(message.encoded());
  }
}

/** `COPY … FROM STDIN` of rows in memory. */
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
    // A lost connection sends nothing further.
    this.callback(error);
  }

  handleCommandComplete(): void {
    // The message contains the number of rows.
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

/** A query whose rows are objects: columns are keyed by property name, and values are JavaScript values. */
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

/** Parses a count or sum. Throws if a number cannot represent it exactly. */
function numberOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error(`${text} is too large for a number`);
  return value;
}
