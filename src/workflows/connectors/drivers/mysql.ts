import { RunFault } from '../../engine/run-error.js';
import { MAX_ROWS } from '../limits.js';
import type { SqlRequest, SqlServer } from '../services.js';
import { load, tooLarge, type Connection, type Driver } from './driver.js';
import { plainValue } from './plain-value.js';

/** The part of `mysql2` that is used. */
interface Mysql2 {
  readonly createConnection: (options: object) => MysqlClient;
}

interface MysqlClient {
  connect(done: (error: Error | null) => void): void;
  reset(done: (error: Error | null) => void): void;
  query(query: string): {
    on(event: 'fields' | 'result', listener: (value: unknown) => void): void;
    on(event: 'end', listener: () => void): void;
    on(event: 'error', listener: (error: Error) => void): void;
  };
  on(event: 'error', listener: () => void): void;
  destroy(): void;
}

/** MySQL and MariaDB. */
export const mysql: Driver<SqlServer, SqlRequest> = {
  async open({ host, port, user, password, database, tls }, connectTimeout) {
    const { createConnection } = await load<Mysql2>('mysql2');
    const options = {
      ...{ host, port, user, password, database, connectTimeout },
      ...(tls && { ssl: { ...tls, verifyIdentity: tls.rejectUnauthorized !== false } }),
      // Generated code would depend on names that the server chooses.
      disableEval: true,
      supportBigNumbers: true,
      timezone: 'Z',
    };
    const client = createConnection(options);
    // Failed connections are errors of the statement.
    client.on('error', () => undefined);
    await new Promise<void>((resolve, reject) =>
      client.connect((error) => (error ? reject(asFault(error)) : resolve())),
    );
    return new MysqlConnection(client);
  },
};

/** Errors of the server have a state. */
function asFault(error: Error): Error {
  const { sqlState, sqlMessage } = error as Error & { sqlState?: unknown; sqlMessage?: string };
  return sqlState && sqlMessage ? new RunFault('SqlError', sqlMessage) : error;
}

/** Flags in the status of the server: a transaction is open, and statements are transactions of their own. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

class MysqlConnection implements Connection<SqlRequest> {
  /** A transaction that a call leaves open ends with its connection. */
  isReusable = true;

  constructor(private readonly client: MysqlClient) {}

  reset(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.client.reset((error) => (error ? reject(error) : resolve())),
    );
  }

  run({ query }: SqlRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let rows: unknown[] | undefined;
      let hasRows = false;
      const statement = this.client.query(query);
      statement.on('fields', (fields: unknown) => {
        hasRows = fields !== undefined;
        if (hasRows) rows = [];
      });
      statement.on('result', (result: unknown) => {
        if (!hasRows) this.note(result as { serverStatus: number });
        else if (rows!.length === MAX_ROWS) this.stop(reject);
        else rows!.push(plainValue(result));
      });
      statement.on('end', () => resolve(rows));
      statement.on('error', (error) => reject(asFault(error)));
    });
  }

  close(): void {
    this.client.destroy();
  }

  private note({ serverStatus }: { serverStatus: number }): void {
    this.isReusable = (serverStatus & IN_TRANSACTION) === 0 && (serverStatus & AUTOCOMMIT) !== 0;
  }

  /** The server would send all other rows, too. */
  private stop(reject: (error: Error) => void): void {
    reject(tooLarge());
    this.close();
  }
}
