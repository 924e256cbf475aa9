import type { Client, ClientConfig, FieldDef, Submittable } from 'pg';
import { RunFault } from '../../engine/run-error.js';
import { MAX_ROWS } from '../limits.js';
import type { SqlRequest, SqlServer } from '../services.js';
import { tooLarge, type Connection, type Driver } from './driver.js';
import { plainValue } from './plain-value.js';

/** PostgreSQL. */
export const postgres: Driver<SqlServer, SqlRequest> = {
  async open({ host, port, user, password, database, tls }, connectionTimeoutMillis) {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      host,
      port,
      user,
      // An empty text would make the driver read a file with passwords.
      password: () => password,
      database,
      ssl: tls ? tls : false,
      connectionTimeoutMillis,
    } satisfies ClientConfig);
    const isRefusal = (error: unknown) => error instanceof pg.DatabaseError;
    // Failed connections are errors of the statement.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw asFault(error as Error, isRefusal);
    }
    return new PostgresConnection(client, pg.Query, isRefusal);
  },
};

type IsRefusal = (error: unknown) => boolean;

const asFault = (error: Error, isRefusal: IsRefusal): Error =>
  isRefusal(error) ? new RunFault('SqlError', error.message) : error;

/** A statement in the extended protocol, which refuses several statements in one text. */
type QueryClass = new (config: { text: string; queryMode: 'extended' }) => Submittable & {
  on(event: 'row', listener: (row: Record<string, unknown>) => void): void;
  on(event: 'end', listener: (result: { fields: readonly FieldDef[] }) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
};

class PostgresConnection implements Connection<SqlRequest> {
  constructor(
    private readonly client: Client & { getTransactionStatus?(): string | null },
    private readonly Query: QueryClass,
    private readonly isRefusal: IsRefusal,
  ) {}

  /** A transaction that a call leaves open ends with its connection. */
  get isReusable(): boolean {
    return this.client.getTransactionStatus?.() === 'I';
  }

  async reset(): Promise<void> {
    await this.client.query('DISCARD ALL');
  }

  run({ query }: SqlRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const rows: unknown[] = [];
      const statement = new this.Query({ text: query, queryMode: 'extended' });
      statement.on('row', (row) => {
        if (rows.length === MAX_ROWS) this.stop(reject);
        else rows.push(plainValue(row));
      });
      statement.on('end', ({ fields }) => resolve(fields.length > 0 ? rows : undefined));
      statement.on('error', (error) => reject(asFault(error, this.isRefusal)));
      this.client.query(statement);
    });
  }

  close(): void {
    this.client.end().catch(() => undefined);
  }

  /** The server would send all other rows, too. */
  private stop(reject: (error: Error) => void): void {
    reject(tooLarge());
    this.close();
  }
}
