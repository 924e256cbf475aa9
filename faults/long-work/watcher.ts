import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.js';

const LOOK_MS = 60;
const ENDED = new Set(['completed', 'errored', 'failed']);
/** Kinds whose days go on where an attempt before was. */
const CONTINUED = /^application\.(archiveData|backfillArchiveData)$/;

/** A job as it was seen last. */
export interface SeenJob {
  name: string;
  status: string;
  attempts: number;
  progress?: { completed: number; total: number; status: string };
  error?: { name: string; message: string };
}

const LOOK = `SELECT id, name, status, attempts, progress, error FROM jobs WHERE name !~ '^(mail|callback)\\.'`;

/** Follows the rows of jobs, and notes what none may ever do. */
export class Watcher {
  readonly jobs = new Map<string, SeenJob>();
  /** What was seen that must not be, a sentence each. */
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

  /** Those that a worker has. */
  get underWay(): SeenJob[] {
    return [...this.jobs.values()].filter(({ status }) => status === 'inProgress');
  }

  hasEnded(id: string): boolean {
    return ENDED.has(this.jobs.get(id)?.status ?? '');
  }

  /** Looks once; PostgreSQL may be away. */
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
      await sleep(LOOK_MS);
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

/** What of two looks at a job cannot be. An attempt begins with what the one before it has said, until it says something itself. */
function faultBetween(before: SeenJob, now: SeenJob): string | undefined {
  if (ENDED.has(before.status) && before.status !== now.status)
    return `was ${before.status} and is ${now.status}`;
  if (now.attempts < before.attempts) return `was at attempt ${before.attempts} and is at ${now.attempts}`;
  const [was, is] = [before.progress, now.progress];
  if (was && !is) return 'had progress and has none';
  if (!was || !is) return undefined;
  const isSame = now.attempts === before.attempts && was.status === is.status;
  if ((isSame || CONTINUED.test(now.name)) && is.completed < was.completed)
    return `was at ${was.completed} (${was.status}) and is at ${is.completed} (${is.status})`;
  return undefined;
}
