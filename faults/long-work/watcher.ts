import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.js';

const POLL_INTERVAL_MS = 60;
const ENDED = new Set(['completed', 'errored', 'failed']);
/** Kinds of jobs whose retries continue from the day that the previous attempt reached. */
const CONTINUED = /^application\.(archiveData|backfillArchiveData)$/;

/** Last seen state of a job. */
export interface SeenJob {
  name: string;
  status: string;
  attempts: number;
  progress?: { completed: number; total: number; status: string };
  error?: { name: string; message: string };
}

const LOOK = `SELECT id, name, status, attempts, progress, error FROM jobs WHERE name !~ '^(mail|callback)\\.'`;

/** Follows the rows of jobs and records impossible transitions. */
export class Watcher {
  readonly jobs = new Map<string, SeenJob>();
  /** A sentence for each impossible transition. */
  readonly wrong: string[] = [];
  private isStopped = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly stage: Stage) {}

  start(): void {
    this.looking = this.watch();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.looking;
  }

  /** Returns the jobs that are in progress. */
  get underWay(): SeenJob[] {
    return [...this.jobs.values()].filter(({ status }) => status === 'inProgress');
  }

  hasEnded(id: string): boolean {
    return ENDED.has(this.jobs.get(id)?.status ?? '');
  }

  /** Polls once; fails if PostgreSQL is unavailable. */
  async look(): Promise<void> {
    const rows = await this.stage.rows(LOOK);
    for (const [id, name, status, attempts, progress, error] of rows as unknown as Row[]) {
      const now = {
        name,
        status,
        attempts: Number(attempts),
        progress: progress ?? undefined,
        error: error ?? undefined,
      };
      const before = this.jobs.get(id);
      const fault = before && faultBetween(before, now);
      if (fault) this.wrong.push(`Job ${id} (${name}) ${fault}`);
      this.jobs.set(id, now);
    }
  }

  private async watch(): Promise<void> {
    while (!this.isStopped) {
      await this.look().catch(() => undefined);
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

type Row = [
  id: string,
  name: string,
  status: string,
  attempts: string,
  progress: SeenJob['progress'] | null,
  error: SeenJob['error'] | null,
];

/**
 * Returns the impossible part of a transition, if any. An attempt starts with the progress of the previous one until it
 * reports its own.
 */
function faultBetween(before: SeenJob, now: SeenJob): string | undefined {
  if (ENDED.has(before.status) && before.status !== now.status)
    return `was ${before.status} and is now ${now.status}`;
  if (now.attempts < before.attempts)
    return `was at attempt ${before.attempts} and is now at ${now.attempts}`;
  const [was, is] = [before.progress, now.progress];
  if (was && !is) return 'lost its progress';
  if (!was || !is) return undefined;
  const isSame = now.attempts === before.attempts && was.status === is.status;
  if ((isSame || CONTINUED.test(now.name)) && is.completed < was.completed)
    return `was at ${was.completed} (${was.status}) and is now at ${is.completed} (${is.status})`;
  return undefined;
}
