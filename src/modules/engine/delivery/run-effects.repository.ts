import { Injectable } from '@nestjs/common';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import type { RunKey } from '../../../workflows/runs/handover.js';

/** The lock prevents that the run is finished before the effect is committed. */
const STORE = `INSERT INTO run_effects (seq, id, result)
  SELECT q.seq, $3, $4 FROM run_inbox q WHERE q.lane = $1 AND q.seq = $2 FOR KEY SHARE
  ON CONFLICT DO NOTHING RETURNING 1`;
const FIND = 'SELECT x.result FROM run_effects x WHERE x.seq = $1 AND x.id = $2';

/** First run that is not finished. Results of runs before it are not needed. */
export const FIRST_OPEN_RUN = `coalesce((SELECT min(q.seq) FROM run_inbox q), ${2n ** 63n - 1n})`;

/** Stores the results of effects until their runs are finished. */
@Injectable()
@RunsIn('engine')
export class RunEffectsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores the result of an effect as part of its transaction. Returns whether it did: `false` if it is stored already,
   * or if the run has been finished.
   */
  async store(
    { lane, seq }: RunKey,
    id: string,
    result: string,
    runner: Pick<Runner, 'run'>,
  ): Promise<boolean> {
    return (await runner.run(prepared(STORE, [lane, seq, id, result]))).length > 0;
  }

  /** Returns the result of an effect, or `undefined`. */
  async find({ seq }: RunKey, id: string): Promise<string | undefined> {
    const [row] = await this.database.run(prepared(FIND, [seq, id]));
    return row?.[0] ?? undefined;
  }
}
