import type { Runner } from '../database/database.js';
import { prepared } from '../database/statements.js';

/** Heartbeats during a lease. */
const HEARTBEATS = 4;

interface LeaseOptions<Claim> {
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** SQL condition that the row is being worked on. */
  working: string;
  /** Duration of a lease. A holder without a heartbeat for this long is considered dead. */
  ms: number;
  /** Returns the values of the primary key, and the `attempts` that the claim returned. */
  holder: (claim: Claim) => unknown[];
}

/**
 * Leases on the rows of a table: one worker at a time works on a row, and if it dies, another one takes over. Times
 * come from the database, so clocks of workers may differ.
 *
 * The table has two columns: `due_at`, from which on a row can be claimed, and `attempts`, the number of claims.
 * 1. A claim is an `UPDATE` of rows for which `dueSql` is true. It sets `claimSql`, which moves `due_at` to the end of
 *    the lease and counts up `attempts`, the fencing token.
 * 2. `hold` extends the lease while the work runs.
 * 3. Each write of the holder has the condition `heldSql`. If the lease expired and another worker claimed the row, the
 *    token differs, and the write changes nothing.
 */
export class Lease<Claim> {
  /** Condition that a row is due, or the lease of its last holder has expired. */
  readonly dueSql = 'due_at <= now()';
  /** Assignments that claim a row. */
  readonly claimSql: string;
  /** Condition that a claim still holds. Its parameters are the first ones: the primary key and the token. */
  readonly heldSql: string;
  private readonly extendSql: string;

  constructor(private readonly options: LeaseOptions<Claim>) {
    const { table, key, working, ms } = options;
    const end = `due_at = now() + interval '${ms} milliseconds'`;
    this.claimSql = `${end}, attempts = attempts + 1`;
    this.heldSql = [...key, 'attempts'].map((column, at) => `${column} = $${at + 1} AND `).join('') + working;
    this.extendSql = `UPDATE ${table} SET ${end} WHERE ${this.heldSql} RETURNING 1`;
  }

  /**
   * Executes a statement with the condition `heldSql` and a `RETURNING`. `values` are its further parameters. Returns
   * `false` if the lease is lost.
   */
  async write(runner: Runner, text: string, claim: Claim, values: readonly unknown[] = []): Promise<boolean> {
    const rows = await runner.run(prepared(text, [...this.options.holder(claim), ...values]));
    return rows.length > 0;
  }

  /** Starts the lease anew. Returns `false` if it is lost: another worker has claimed the row, or it was deleted. */
  extend(runner: Runner, claim: Claim): Promise<boolean> {
    return this.write(runner, this.extendSql, claim);
  }

  /**
   * Runs `work`, and calls `extend` until it ends. Calls `lost` if that returns `false`. Errors of `extend` are ignored,
   * because the lease outlasts several heartbeats.
   */
  async hold<T>(extend: () => Promise<boolean>, work: () => Promise<T>, lost: () => void): Promise<T> {
    const beat = async (): Promise<void> => {
      if (!(await extend())) lost();
    };
    const heartbeat = setInterval(() => void beat().catch(() => undefined), this.options.ms / HEARTBEATS);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
    }
  }
}
