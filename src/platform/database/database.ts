import { Injectable, Logger } from '@nestjs/common';
import type { Pool, PoolClient, QueryArrayConfig } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Unavailable } from '../errors/errors.js';
import type { Row } from './row-shape.js';

/** A prepared statement: the same name always carries the same text. Without a name it is parsed anew each time. */
export interface Statement {
  name?: string;
  text: string;
  values: readonly unknown[];
}

/** What runs a statement and returns its rows in the text form that `RowShape` reads. */
export interface Runner {
  run(statement: Statement): Promise<Row[]>;
}

/** A transaction that is open; it runs statements as part of itself. */
export interface Transaction extends Runner {
  manager: EntityManager;
  /** Something to do once the transaction is in the database; a failure there is logged, nothing is undone. */
  afterCommit(action: () => Promise<unknown>): void;
}

const AS_TEXT = { getTypeParser: () => (value: string) => value };
/** Serialization failure and deadlock: the transaction did nothing and may be run again. */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/** PostgreSQL as the hot paths use it: named prepared statements on TypeORM's own pool, rows as text. */
@Injectable()
export class Database implements Runner {
  private readonly logger = new Logger(Database.name);

  constructor(private readonly dataSource: DataSource) {}

  run(statement: Statement): Promise<Row[]> {
    return runOn(this.pool, statement);
  }

  /**
   * Runs `work` in one transaction. A deadlock or serialization failure is run again, so `work` must have no effect
   * outside the database but through `afterCommit`; after three attempts the caller gets 503.
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const after: (() => Promise<unknown>)[] = [];
      let result: T;
      try {
        result = await this.dataSource.transaction((manager) =>
          work({
            manager,
            run: async (statement) => runOn(await clientOf(manager), statement),
            afterCommit: (action) => after.push(action),
          }),
        );
      } catch (error) {
        if (!RETRIED.has(errorCode(error))) throw error;
        if (attempt === ATTEMPTS) throw new Unavailable('The database is busy, try again');
        continue;
      }
      for (const action of after)
        await action().catch((error: Error) => this.logger.warn(`After a commit: ${error.message}`));
      return result;
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

async function runOn(connection: Pool | PoolClient, { name, text, values }: Statement): Promise<Row[]> {
  const query = {
    name,
    text,
    values: values as unknown[],
    rowMode: 'array',
    types: AS_TEXT,
  } as QueryArrayConfig;
  return (await connection.query<(string | null)[]>(query)).rows;
}

const clientOf = (manager: EntityManager): Promise<PoolClient> =>
  manager.queryRunner!.connect() as Promise<PoolClient>;

/** PostgreSQL's five-character code of an error, or an empty text. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** The name of the unique index that refused a row, where that is what happened. */
export function violatedUnique(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined;
  const { constraint, driverError } = error as { constraint?: string; driverError?: { constraint?: string } };
  return constraint ?? driverError?.constraint;
}
