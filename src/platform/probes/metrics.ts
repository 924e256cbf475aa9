import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What Prometheus reads: the process's own figures, how long requests take, and how jobs ended. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly jobs = new Counter({
    name: 'jobs_ended_total',
    help: 'Jobs that this worker brought to their end: completed, errored or failed, which is given up.',
    labelNames: ['name', 'status'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Notes a request that took `ms`, by its route: a path holds ids, and each would be a series of its own. */
  observe({ method, route }: Request, status: number, ms: number): void {
    const path = (route as { path?: string } | undefined)?.path ?? 'none';
    this.durations.observe({ method, route: path, status }, ms / 1000);
  }

  /** Notes the end of a job. */
  countJob(name: string, status: string): void {
    this.jobs.inc({ name, status });
  }
}
