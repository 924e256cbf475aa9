import { Injectable, Logger, Optional } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { WorkBudget } from '../../lib/async/work-budget.js';
import { Unavailable } from '../../lib/errors/errors.js';
import { cursorRows, Snapshot } from './cursor.js';
import { Atomic, onRunner } from './atomic.js';
import type { EncodedRow } from './encoded-row.js';
import { errorCode } from './error-code.js';
import { foundAfterCut } from './found-after-cut.js';
import { EncodedQuery, ObjectQuery, TextQuery, type Statement } from './query.js';
import { BulkWrites } from './bulk-writes.js';
import { ReadLane } from './read-lane.js';
import type { Row } from './row-shape.js';
import { copyOnClient, onClient, onPool, poolOf, type QueryType } from './run-statement.js';
import { SEARCH_TIMEOUT_MS, Searches, type Search } from './searches.js';
import { prepared } from './statements.js';

export type { Snapshot, Statement };

/** Executes statements. */
export interface Runner {
  /** Returns the rows in the text form that `RowShape` reads. */
  run(statement: Statement): Promise<Row[]>;
  /**
   * Returns the rows as objects, for results that are not resources: the column `has_version` becomes the property
   * `hasVersion`. Times are dates, counts and sums are numbers, JSON is parsed, and missing values are `null`.
   */
  rows<T extends object>(statement: Statement): Promise<T[]>;
}

/** An open transaction, which executes statements as part of it. */
export interface Transaction extends Runner {
  manager: EntityManager;
  /** Runs `COPY … FROM STDIN` with rows in the format that the statement specifies. */
  copy(text: string, rows: Buffer): Promise<void>;
  /** Registers an action to run after the commit. A failure is logged and nothing is rolled back. */
  afterCommit(action: () => Promise<unknown>): void;
}

/**
 * A transaction that may wait for locks of others with the same owner: it either has a turn, or belongs to one of the
 * few jobs.
 */
export interface QueuedTransaction extends Transaction {
  /**
   * Waits for an advisory lock, which is held until the transaction ends: exclusive, or `shared` with other shared
   * holders.
   */
  lock(key: LockKey, mode?: keyof typeof LOCKS): Promise<void>;
}

/** Number of the lock kind, unique on the platform, and the owner of the locked object. */
export type LockKey = readonly [kind: number, owner: string];

/** Serialization failure and deadlock: the transaction had no effect and may be retried. */
const RETRYABLE_ERRORS = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

const TRANSACTION_ID = 'SELECT pg_current_xact_id()';
const OUTCOME = 'SELECT pg_xact_status($1::xid8)';

const LOCKS = {
  alone: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
  shared: 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))',
};

/** Access to PostgreSQL for hot paths: named prepared statements on TypeORM's own pool, with rows as text. */
@Injectable()
export class Database implements Runner {
  private readonly logger = new Logger(Database.name);
  /**
   * Queue for transactions that may wait for others of the same application, and would otherwise occupy all
   * connections. Up to half of the pool's connections may wait. With two per owner, an application can change one thing
   * while it waits for another.
   */
  private readonly queue = new WorkBudget({
    concurrency: 5,
    concurrencyPerOwner: 2,
    waitingPerOwner: 200,
    patienceMs: 10_000,
    retryAfterSeconds: 10,
    messages: {
      own: 'Too many concurrent changes to the same resource, try again',
      others: 'Too many concurrent changes at the moment, try again',
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly lane?: ReadLane,
    @Optional() private readonly searches?: Searches,
    @Optional() private readonly bulkWrites?: BulkWrites,
  ) {}

  run(statement: Statement): Promise<Row[]> {
    return this.runAs(TextQuery, statement);
  }

  /**
   * Runs a statement that reads by key on the shared read lane, or on the pool if the lane does not respond. For cheap
   * reads by an index only; never for writes or as part of a transaction.
   */
  async read(statement: Statement): Promise<Row[]> {
    const sent = Atomic.current?.hasWritten ? undefined : this.lane?.send(statement);
    if (!sent) return this.run(statement);
    try {
      return await sent;
    } catch (error) {
      if (isStatementError(error)) throw error;
      return this.run(statement);
    }
  }

  /** Runs a statement that writes the data of many requests, passed as arrays. */
  write(statement: Statement): Promise<Row[]> {
    return this.bulkWrites && !Atomic.current ? this.bulkWrites.run(statement) : this.run(statement);
  }

  /** Like `rows`, for a statement that reads the rows of many keys, passed as arrays, many times per second. */
  rowsOfMany<T extends object>(statement: Statement): Promise<T[]> {
    return this.bulkWrites && !Atomic.current ? this.bulkWrites.rows(statement) : this.rows(statement);
  }

  /** Runs a statement that may have to scan all rows, because no index covers the search of the caller. */
  search(statement: Statement, search: Search): Promise<Row[]> {
    return this.searchAs(TextQuery, statement, search);
  }

  /** Returns the rows of a list, which is a search if `search` is set, in the form in which they are written fastest. */
  list(statement: Statement, search?: Search): Promise<EncodedRow[]> {
    return search ? this.searchAs(EncodedQuery, statement, search) : this.runAs(EncodedQuery, statement);
  }

  /**
   * Runs a transaction that changes the rows matching a caller's search. It counts as a search and has the same
   * timeout.
   */
  searchingTransaction<T>(search: Search, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const limited = () =>
      this.transaction(async (transaction) => {
        await transaction.run({ text: `SET LOCAL statement_timeout = ${SEARCH_TIMEOUT_MS}`, values: [] });
        return work(transaction);
      });
    return this.searches ? this.searches.runLimited(search, limited) : limited();
  }

  /**
   * Runs a transaction of a request that may wait for locks held by others of `owner`. It waits for its turn, and is
   * rejected after `patienceMs`. It must not request another turn.
   */
  queuedTransaction<T>(
    owner: string,
    work: (transaction: QueuedTransaction) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    return this.queue.run(owner, () => this.jobTransaction(work), patienceMs);
  }

  /** Runs a transaction of a job that may wait for locks. */
  jobTransaction<T>(work: (transaction: QueuedTransaction) => Promise<T>): Promise<T> {
    return this.transaction((transaction) =>
      work({
        ...transaction,
        lock: async (key, mode = 'alone') => void (await transaction.run(prepared(LOCKS[mode], [...key]))),
      }),
    );
  }

  /** Yields the rows of a large result in batches, each job on its own connection. */
  cursor(statement: Statement): AsyncGenerator<Row[]> {
    return cursorRows(this.pool.options, statement);
  }

  /** Opens a snapshot of the current database for jobs that read large amounts; the caller must release it. */
  snapshot(): Promise<Snapshot> {
    return Snapshot.open(this.pool.options);
  }

  rows<T extends object>(statement: Statement): Promise<T[]> {
    return this.runAs(ObjectQuery<T>, statement);
  }

  /** Returns whether PostgreSQL rejects writes, as it does during a failover. */
  async isReadOnly(): Promise<boolean> {
    const [row] = await this.run({ text: 'SHOW transaction_read_only', values: [] });
    return row![0] === 'on';
  }

  /**
   * Runs `work` in a transaction. Deadlocks and serialization failures are retried, so `work` must have no effects
   * outside the database except through `afterCommit`. After three attempts, the caller receives a `503` error.
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const atomic = Atomic.current;
    for (let attempt = 1; ; attempt++) {
      const after: (() => Promise<unknown>)[] = [];
      let result: T;
      try {
        result = atomic
          ? await atomic.write((runner, afterAll) => work(transactionOf(runner.manager, afterAll)))
          : await this.dataSource.transaction((manager) => work(transactionOf(manager, after)));
      } catch (error) {
        if (!RETRYABLE_ERRORS.has(errorCode(error))) throw error;
        if (attempt === ATTEMPTS) throw new Unavailable('The database is busy, try again');
        continue;
      }
      await this.runAfterCommit(after);
      return result;
    }
  }

  /**
   * Like `transaction`, for work that the caller repeats after a failure and that must not take effect twice: returns also
   * if it was committed although its connection was lost.
   */
  async transactionOnce(work: (transaction: Transaction) => Promise<unknown>): Promise<void> {
    let id: string | undefined;
    try {
      await this.transaction(async (transaction) => {
        const [row] = await transaction.run(prepared(TRANSACTION_ID, []));
        id = row![0]!;
        await work(transaction);
      });
    } catch (error) {
      await foundAfterCut(error, async () => (id !== undefined && (await this.isCommitted(id))) || undefined);
    }
  }

  /**
   * Executes `work` so that all it writes takes effect together, or nothing of it: its statements and transactions share
   * one transaction from the first write on. `last` receives the result before the commit; the transaction is rolled back
   * if either fails. `last` is not called if nothing was written. Work that writes on behalf of several callers at once
   * must not be part of it.
   */
  async atomically<T>(
    work: () => Promise<T>,
    last: (result: T, transaction: Pick<Runner, 'run'>) => Promise<void>,
  ): Promise<T> {
    const atomic = new Atomic(this.dataSource);
    let result: T;
    try {
      result = await atomic.run(work);
    } catch (error) {
      await atomic.rollback();
      throw error;
    }
    const after = await atomic.commit((runner) =>
      last(result, { run: (statement) => onRunner(runner, TextQuery, statement) }),
    );
    await this.runAfterCommit(after);
    return result;
  }

  private runAs<T>(Query: QueryType<T>, statement: Statement): Promise<T[]> {
    return Atomic.current?.statement(Query, statement) ?? onPool(this.pool, Query, statement);
  }

  private searchAs<T>(Query: QueryType<T>, statement: Statement, search: Search): Promise<T[]> {
    return this.searches && !Atomic.current?.hasWritten
      ? this.searches.run(Query, statement, search)
      : this.runAs(Query, statement);
  }

  private async isCommitted(id: string): Promise<boolean> {
    const [row] = await this.run(prepared(OUTCOME, [id]));
    if (row![0] === 'in progress') throw new Unavailable('The transaction has not ended');
    return row![0] === 'committed';
  }

  private async runAfterCommit(actions: readonly (() => Promise<unknown>)[]): Promise<void> {
    for (const action of actions)
      await action().catch((error: Error) =>
        this.logger.warn(`An action after a commit failed: ${error.message}`),
      );
  }

  private get pool(): Pool {
    return poolOf(this.dataSource);
  }
}

/**
 * A value that no column can hold, or a write in a read-only transaction: the statement would fail on any connection.
 */
const isStatementError = (error: unknown): boolean => /^(22|25)/.test(errorCode(error));

function transactionOf(manager: EntityManager, after: (() => Promise<unknown>)[]): Transaction {
  return {
    manager,
    run: async (statement) => onClient(await clientOf(manager), TextQuery, statement),
    rows: async <R extends object>(statement: Statement) =>
      onClient(await clientOf(manager), ObjectQuery<R>, statement),
    copy: async (text, rows) => copyOnClient(await clientOf(manager), text, rows),
    afterCommit: (action) => after.push(action),
  };
}

const clientOf = (manager: EntityManager): Promise<ClientBase> =>
  manager.queryRunner!.connect() as Promise<ClientBase>;

/** Returns the name of the unique index that a row violated, if that was the error. */
export function violatedUnique(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined;
  const { constraint, driverError } = error as { constraint?: string; driverError?: { constraint?: string } };
  return constraint ?? driverError?.constraint;
}
