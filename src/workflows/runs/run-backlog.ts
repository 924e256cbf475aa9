import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { PROCESS_ROLES } from '../../config/config.js';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { Database } from '../../platform/database/database.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { prepared } from '../../platform/database/statements.js';
import { Metrics } from '../../platform/probes/metrics.js';
import { RunsIn } from '../../platform/processes/roles.js';

/** Maximum number of requested runs of an application. */
const MAX_WAITING = 20_000;
const INTERVAL_MS = 2_000;
const RETRY_SECONDS = 10;

/** By index, up to the maximum for each lane: the inbox has far more pages than waiting runs after a peak. */
const COUNT = `SELECT coalesce(sum(waiting.runs), 0)::text FROM generate_series(0, (SELECT max(lane) FROM run_inbox)) l (lane) CROSS JOIN LATERAL (
    SELECT count(*) AS runs FROM (SELECT FROM run_inbox q WHERE q.lane = l.lane LIMIT ${MAX_WAITING}) q) waiting`;
const FULL = `SELECT application_id FROM run_inbox GROUP BY application_id HAVING count(*) >= ${MAX_WAITING}`;

/** Knows the applications that request runs faster than engines execute them. */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class RunBacklog extends PeriodicTask {
  private full: ReadonlySet<string> = new Set();
  private readonly dropped: Counter;

  constructor(
    private readonly database: Database,
    { registry }: Metrics,
  ) {
    super(INTERVAL_MS, 'Could not count requested runs');
    this.dropped = new Counter({
      name: 'workflow_triggers_dropped_total',
      help: 'Payloads that triggered no workflow because too many runs of the application wait.',
      registers: [registry],
    });
  }

  /** Throws `429`, for senders that wait for a confirmation. */
  refuse(): never {
    throw new TooManyRequests(RETRY_SECONDS, 'Too many runs of workflows of the application are waiting');
  }

  /** Returns whether runs of the application can be requested, and otherwise counts its payloads as dropped. */
  admits(applicationId: string, payloads: number): boolean {
    const isFull = this.full.has(applicationId);
    if (isFull) this.dropped.inc(payloads);
    return !isFull;
  }

  /** Finds the applications with too many requested runs. */
  async refresh(): Promise<void> {
    const [row] = await this.database.run(prepared(COUNT, []));
    const rows = Number(row![0]) < MAX_WAITING ? [] : await this.database.run(prepared(FULL, []));
    this.full = new Set(rows.map(([id]) => id!));
  }

  protected override async runBatch(): Promise<boolean> {
    await this.refresh();
    return false;
  }
}
