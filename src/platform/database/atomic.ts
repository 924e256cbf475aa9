import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Statement } from './query.js';
import { onClient, type QueryType } from './run-statement.js';

/** Whether a statement changes or locks something. A false positive only costs a transaction. */
const isWrite = ({ text }: Statement): boolean =>
  /\b(INSERT|UPDATE|DELETE|TRUNCATE|COPY|CREATE|ALTER|DROP)\b/.test(text);

/** Whether a statement has changed none of the rows that it returns. It can still have locked some. */
const hasChangedNothing = ({ text }: Statement, rows: readonly unknown[]): boolean =>
  rows.length === 0 && /^(INSERT|UPDATE|DELETE)\b.*\bRETURNING\b/s.test(text);

/** Ends a first write that has changed nothing. */
class Unchanged extends Error {}

/** What runs in a transaction: gets its connection, and the list of what to do after the commit. */
type Work<T> = (runner: QueryRunner, after: (() => Promise<unknown>)[]) => Promise<T>;

/**
 * Work whose statements and transactions share one transaction from the first write on, however many it has. Work that
 * only reads has none.
 */
export class Atomic {
  /** The transaction, once something was written. */
  private runner?: QueryRunner;
  private after: (() => Promise<unknown>)[] = [];
  private lastWrite: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(private readonly dataSource: DataSource) {}

  /** Executes `work`; its statements run through this object until it returns. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work);
  }

  /** Runs a statement in the transaction. Returns `undefined` for a read before the first write. */
  statement<T>(Query: QueryType<T>, statement: Statement): Promise<T[]> | undefined {
    if (isWrite(statement)) return this.writeOne(Query, statement);
    return this.runner && onRunner(this.runner, Query, statement);
  }

  /** A first write that changes nothing is rolled back: its locks could stop what follows. */
  private async writeOne<T>(Query: QueryType<T>, statement: Statement): Promise<T[]> {
    try {
      return await this.write(async (runner) => {
        const rows = await onRunner(runner, Query, statement);
        if (!this.runner && hasChangedNothing(statement, rows)) throw new Unchanged();
        return rows;
      });
    } catch (error) {
      if (error instanceof Unchanged) return [];
      throw error;
    }
  }

  /**
   * Executes writes that take effect together or, if they fail, not at all. Concurrent ones wait for each other.
   * Statements inside that do not use the given connection are not part of the transaction, as in any other one.
   */
  write<T>(work: Work<T>): Promise<T> {
    const inside: Work<T> = (runner, after) => current.exit(() => work(runner, after));
    const done = this.lastWrite.then(() =>
      this.runner ? this.further(this.runner, inside) : this.first(inside),
    );
    this.lastWrite = done.catch(() => undefined);
    return done;
  }

  /** Runs an action after the commit, or now if nothing was written. */
  async afterCommit(action: () => Promise<unknown>): Promise<void> {
    if (this.runner) this.after.push(action);
    else await action();
  }

  /** Whether something was written. */
  get hasWritten(): boolean {
    return this.runner !== undefined;
  }

  /** Commits all writes; returns the actions that follow. Before that, `last` can write more. */
  async commit(last: (runner: QueryRunner) => Promise<void>): Promise<(() => Promise<unknown>)[]> {
    this.isOver = true;
    await this.lastWrite;
    const { runner } = this;
    if (!runner) return [];
    try {
      await last(runner);
      await runner.commitTransaction();
      return this.after;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await this.release(runner);
    }
  }

  async rollback(): Promise<void> {
    this.isOver = true;
    await this.lastWrite;
    const { runner } = this;
    if (!runner) return;
    await runner.rollbackTransaction().catch(() => undefined);
    await this.release(runner);
  }

  /** The work that the caller is part of, unless it is over. */
  static get current(): Atomic | undefined {
    const atomic = current.getStore();
    return atomic && !atomic.isOver ? atomic : undefined;
  }

  /** Executes `work` as if it were not part of any atomic work. */
  static outside<T>(work: () => T): T {
    return current.exit(work);
  }

  /** The first write needs no savepoint: if it fails, there is nothing to keep. */
  private async first<T>(work: Work<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const after: (() => Promise<unknown>)[] = [];
    try {
      await runner.startTransaction();
      const result = await work(runner, after);
      this.runner = runner;
      this.after = after;
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
      throw error;
    }
  }

  private async further<T>(runner: QueryRunner, work: Work<T>): Promise<T> {
    const after: (() => Promise<unknown>)[] = [];
    await runner.startTransaction();
    try {
      const result = await work(runner, after);
      await runner.commitTransaction();
      this.after.push(...after);
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }

  private async release(runner: QueryRunner): Promise<void> {
    this.runner = undefined;
    await runner.release();
  }
}

const current = new AsyncLocalStorage<Atomic>();

/** Runs an action now, or after the commit of the atomic work that the caller is part of. */
export const afterCommit = async (action: () => Promise<unknown>): Promise<void> => {
  const atomic = Atomic.current;
  if (atomic) await atomic.afterCommit(action);
  else await action();
};

/** Runs a statement on the connection of a transaction. */
export const onRunner = async <T>(
  runner: QueryRunner,
  Query: QueryType<T>,
  statement: Statement,
): Promise<T[]> => onClient((await runner.connect()) as ClientBase, Query, statement);
