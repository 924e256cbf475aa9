import { Inject, Injectable, Logger } from '@nestjs/common';
import { Gauge, type GaugeConfiguration } from 'prom-client';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { Metrics } from '../probes/metrics.js';
import { RunsIn } from '../processes/roles.js';
import type { JobDefinition } from './job-definition.js';
import { JOB_DEFINITIONS } from './job-handlers.js';
import { JobRows, type UnfinishedJobs } from './job-rows.js';

/** Maximum wait for the counts when metrics are read; afterwards they are omitted. */
const QUERY_TIMEOUT_MS = 1_500;
const STATES: readonly UnfinishedJobs['state'][] = ['waiting', 'running', 'later'];

type Label = 'name' | 'state';

/**
 * Metrics of pending work in workers: jobs of each kind that are waiting, running or scheduled, and the age of the
 * oldest. Counted from the table on each request, so all workers report the same values.
 */
@Injectable()
@RunsIn('worker')
export class JobMetrics {
  private readonly logger = new Logger(JobMetrics.name);
  private pendingQuery?: Promise<readonly UnfinishedJobs[] | undefined>;

  constructor(
    private readonly rows: JobRows,
    metrics: Metrics,
    @Inject(JOB_DEFINITIONS) definitions: readonly JobDefinition<object>[],
  ) {
    this.gauge(metrics, 'jobs', 'Unfinished jobs: waiting for a worker, running, or scheduled for later.', {
      start: (gauge) => {
        for (const { name } of definitions) for (const state of STATES) gauge.set({ name, state }, 0);
      },
      set: (gauge, { name, state, count }) => gauge.set({ name, state }, count),
    });
    const help = 'Seconds since the oldest waiting job became due, or the oldest running job started.';
    this.gauge(metrics, 'jobs_oldest_seconds', help, {
      start: () => undefined,
      set: (gauge, { name, state, oldest }) => {
        if (state !== 'later') gauge.set({ name, state }, Math.max(0, oldest));
      },
    });
  }

  private gauge(
    { registry }: Metrics,
    name: string,
    help: string,
    values: { start(gauge: Gauge<Label>): void; set(gauge: Gauge<Label>, jobs: UnfinishedJobs): void },
  ): void {
    const collect = async (): Promise<void> => {
      const standing = await this.standing();
      gauge.reset();
      if (!standing) return;
      values.start(gauge);
      for (const jobs of standing) values.set(gauge, jobs);
    };
    const configuration: GaugeConfiguration<Label> = { name, help, labelNames: ['name', 'state'], collect };
    const gauge = new Gauge({ ...configuration, registers: [registry] });
  }

  /**
   * Shares one query among concurrent readers. Returns `undefined` if the database does not respond, because the other
   * metrics are still needed.
   */
  private standing(): Promise<readonly UnfinishedJobs[] | undefined> {
    this.pendingQuery ??= this.rows
      .countUnfinished()
      .catch((error: Error) => void this.logger.warn(`Could not count the jobs: ${error.message}`))
      .then((standing) => standing ?? undefined)
      .finally(() => (this.pendingQuery = undefined));
    return withTimeout(QUERY_TIMEOUT_MS, this.pendingQuery);
  }
}
