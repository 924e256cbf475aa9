import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { RunsIn } from '../../../platform/processes/roles.js';
import { Metrics } from '../../../platform/probes/metrics.js';

/** State of an engine. */
interface Observed {
  readonly waiting: number;
  readonly laneCount: number;
  /** In milliseconds since 1970; `Infinity` if no run waits. */
  readonly oldest: number;
}

/** Metrics of runs of workflows in this process. */
@Injectable()
@RunsIn('engine')
export class EngineMetrics {
  private readonly runs: Counter<'outcome'>;

  constructor(private readonly metrics: Metrics) {
    this.runs = new Counter({
      name: 'workflow_runs_total',
      help: 'Runs of workflows that ended in this process: completed, failed, or discarded because the workflow was deleted.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
  }

  /** Records the end of a run. */
  countRun(outcome: 'completed' | 'discarded' | 'failed'): void {
    this.runs.inc({ outcome });
  }

  /** Reports the state of an engine whenever metrics are read. */
  observe(engine: Observed): void {
    this.gauge('workflow_runs_waiting', 'Runs of workflows that wait in this process.', () => engine.waiting);
    this.gauge('workflow_lanes', 'Lanes of runs that this process owns.', () => engine.laneCount);
    this.gauge('workflow_runs_oldest_seconds', 'Seconds since the oldest waiting run was requested.', () =>
      Math.max(0, (Date.now() - engine.oldest) / 1000),
    );
  }

  /** Reports the number of scripts of Function nodes that run, whenever metrics are read. */
  observeScripts(running: () => number): void {
    this.gauge(
      'workflow_scripts_running',
      'Scripts of workflows that run in threads of this process.',
      running,
    );
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.metrics.registry],
      collect() {
        this.set(value());
      },
    });
  }
}
