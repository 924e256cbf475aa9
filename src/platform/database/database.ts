import { Injectable, Logger, Optional } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Unavailable } from '../../lib/errors/errors.js';
import { cursorRows, Snapshot } from './cursor.js';
import { errorCode } from './error-code.js';
import { ObjectQuery, TextQuery, type Statement } from './query.js';
import { BulkWrites } from './bulk-writes.js';
import { ReadLane } from './read-lane.js';
import type { Row } from './row-shape.js';
import { copyOnClient, onClient, onPool, poolOf } from './run-statement.js';
import { SEARCH_TIMEOUT_MS, Searches, type Search } from './searches.js';
import { prepared } from './statements.js';
import { Turns } from './turns.js';

export type { Snapshot, Statement };

/** What runs a statement. */
export interface Runner {
  /** The rows in the text form that `RowShape` reads. */
  run(statement: Statement): Promise<Row[]>;
  /**
   * The rows as objects, for results that are no resource: the column `has_version` is the property `hasVersion`. Times
   * are dates, counts and sums numbers, JSON is parsed, and what is absent is `null`.
   */
  rows<T extends object>(statement: Statement): Promise<T[]>;
}

/** A transaction that is open; it runs statements as part of itself. */
export interface Transaction extends Runner {
  manager: EntityManager;
  /** `COPY … FROM STDIN` of rows in the form that the text says. */
  copy(text: string, rows: Buffer): Promise<void>;
  /** Something to do once the transaction is in the database; a failure there is logged, nothing is undone. */
  afterCommit(action: () => Promise<unknown>): void;
}

/** A transaction that may wait for what others of its owner hold: its turn has come, or it is of a job, of which there are few. */
export interface WaitingTransaction extends Transaction {
  /** Waits for an advisory lock, which it has until it ends: alone, or `shared` with all who ask for it so. */
  lock(key: LockKey, mode?: keyof typeof LOCKS): Promise<void>;
}

/** What nobody else has the number of, and whose it is. */
export type LockKey = readonly [kind: number, owner: string];

/** Serialization failure and deadlock: the transaction did nothing and may be run again. */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

const LOCKS = {
  alone: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
  shared: 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))',
};

/** PostgreSQL as the hot paths use it: named prepared statements on TypeORM's own pool, rows as text. */
@Injectable()
export class Database implements Runner {
  private readonly logger = new Logger(Database.name);
  /**
   * Whoever may have to wait for others of the same application waits here: with a connection each, they would take all that
   * there are. Half of those that the pool has are enough to wait on; with two an application changes one thing while it waits for another.
   */
  private readonly turns = new Turns({
    atOnce: 5,
    ofEach: 2,
    waiting: 200,
    patienceMs: 10_000,
    refusals: {
      own: 'Too many changes of the same wait for each other, try again',
      others: 'Too many changes wait for each other at the moment, try again',
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly lane?: ReadLane,
    @Optional() private readonly searches?: Searches,
    @Optional() private readonly bulkWrites?: BulkWrites,
  ) {}

  run(statement: Statement): Promise<Row[]> {
    return onPool(this.pool, TextQuery, statement);
  }

  /**
   * Runs a statement that reads by key: on the lane that such reads share, and on the pool where that does not answer. For
   * what finds its rows by an index and costs next to nothing; never for what writes or is part of a transaction.
   */
  async read(statement: Statement): Promise<Row[]> {
    const sent = this.lane?.send(statement);
    if (!sent) return this.run(statement);
    try {
      return await sent;
    } catch (error) {
      if (isItsOwnFault(error)) throw error;
      return this.run(statement);
    }
  }

  /** Runs a statement that writes what many requests brought, as arrays. */
  write(statement: Statement): Promise<Row[]> {
    return this.bulkWrites ? this.bulkWrites.run(statement) : this.run(statement);
  }

  /** Runs a statement that has to look at every row that there may be, because a caller searches by what no index knows. */
  search(statement: Statement, search: Search): Promise<Row[]> {
    return this.searches ? this.searches.run(statement, search) : this.run(statement);
  }

  /** A transaction that changes what a caller searches for; it counts as a search and has the time-out of one. */
  searchingTransaction<T>(search: Search, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const limited = () =>
      this.transaction(async (transaction) => {
        await transaction.run({ text: `SET LOCAL statement_timeout = ${SEARCH_TIMEOUT_MS}`, values: [] });
        return work(transaction);
      });
    return this.searches ? this.searches.admit(search, limited) : limited();
  }

  /**
   * A transaction of a request that may wait for locks which others of `owner` hold. It begins in its turn, and is refused where that
   * does not come in `patienceMs`. Nothing in it may ask for another turn.
   */
  inTurn<T>(
    owner: string,
    work: (transaction: WaitingTransaction) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    return this.turns.run(owner, () => this.jobTransaction(work), patienceMs);
  }

  /** A transaction of a job that may wait for locks. */
  jobTransaction<T>(work: (transaction: WaitingTransaction) => Promise<T>): Promise<T> {
    return this.transaction((transaction) =>
      work({
        ...transaction,
        lock: async (key, mode = 'alone') => void (await transaction.run(prepared(LOCKS[mode], [...key]))),
      }),
    );
  }

  /** The rows of a statement that may find very many, some at a time: for jobs, each of which has a connection for it. */
  cursor(statement: Statement): AsyncGenerator<Row[]> {
    return cursorRows(this.pool.options, statement);
  }

  /** The database as it is now, for jobs that read very much of it; to be closed. */
  snapshot(): Promise<Snapshot> {
    return Snapshot.open(this.pool.options);
  }

  rows<T extends object>(statement: Statement): Promise<T[]> {
    return onPool(this.pool, ObjectQuery<T>, statement);
  }

  /** Whether PostgreSQL refuses changes, as one does that another is to take over from. */
  async isReadOnly(): Promise<boolean> {
    const [row] = await this.run({ text: 'SHOW transaction_read_only', values: [] });
    return row![0] === 'on';
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
            run: async (statement) => onClient(await clientOf(manager), TextQuery, statement),
            rows: async <R extends object>(statement: Statement) =>
              onClient(await clientOf(manager), ObjectQuery<R>, statement),
            copy: async (text, rows) => copyOnClient(await clientOf(manager), text, rows),
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
    return poolOf(this.dataSource);
  }
}

/** A value that no column can hold, or a write among reads: the fault is the statement's wherever it runs. */
const isItsOwnFault = (error: unknown): boolean => /^(22|25)/.test(errorCode(error));

const clientOf = (manager: EntityManager): Promise<ClientBase> =>
  manager.queryRunner!.connect() as Promise<ClientBase>;

/** The name of the unique index that refused a row, where that is what happened. */
export function violatedUnique(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined;
  const { constraint, driverError } = error as { constraint?: string; driverError?: { constraint?: string } };
  return constraint ?? driverError?.constraint;
}
