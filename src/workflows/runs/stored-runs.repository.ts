import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { COUNTER_DIGITS, OTHER_DIGITS, TIME_DIGITS } from './cause-sql.js';

const HAS = `SELECT EXISTS (SELECT FROM flow_runs r WHERE r.id BETWEEN $1 || repeat('0', ${OTHER_DIGITS}) AND $1 || repeat('f', ${OTHER_DIGITS}))
  OR EXISTS (SELECT FROM run_inbox q WHERE starts_with(q.id, $1))`;

/** Tells whether a statement has stored runs, if its connection was lost before its result arrived. */
@Injectable()
export class StoredRunsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns whether there are runs of the statement that received this ID. Runs that wait are read without an index, as
   * this is rare.
   */
  async has(id: string): Promise<boolean> {
    const prefix = id.slice(0, TIME_DIGITS) + id.slice(-COUNTER_DIGITS);
    const [row] = await this.database.run(prepared(HAS, [prefix]));
    return row![0] === 't';
  }
}
