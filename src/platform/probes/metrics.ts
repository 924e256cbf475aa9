import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Metrics for Prometheus: process statistics, request durations and job outcomes. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly calls = new Histogram({
    name: 'workflow_call_duration_seconds',
    help: 'Duration of operations that workflows called.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly jobs = new Counter({
    name: 'jobs_ended_total',
    help: 'Jobs that this worker ended: completed, errored, or failed permanently.',
    labelNames: ['name', 'status'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * Records the duration of a request in milliseconds, by route: paths contain IDs and would create a time series each.
   */
  observe({ method, route }: Request, status: number, ms: number): void {
    const path = (route as { path?: string } | undefined)?.path ?? 'none';
    this.durations.observe({ method, route: path, status }, ms / 1000);
  }

  /** Records the duration in milliseconds of an operation that a workflow called. */
  observeCall(operation: string, status: number, ms: number): void {
    this.calls.observe({ operation, status }, ms / 1000);
  }

  /** Records the end of a job. */
  countJob(name: string, status: string): void {
    this.jobs.inc({ name, status });
  }
}
