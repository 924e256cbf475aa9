import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { Stage } from '../stage.js';
import { hang, type Target } from '../targets.js';
import type { Watcher } from './watcher.js';

const BETWEEN_MS = [150, 1_200] as const;
const HANG_MS = [1_000, 6_000] as const;
/** With more concurrent faults, no work would be in progress to interrupt. */
const MAX_CONCURRENT = 2;
/** Jobs are given up after five attempts without progress. On the fourth attempt a job is usually left alone. */
const MAX_FAULTS_PER_JOB = 4;
const MERCY = 0.9;
const IDLE_MS = 50;

/** Faults, weighted by frequency: 20 entries in total. */
const FAULTS = [
  ...Array<'kill'>(12).fill('kill'),
  ...Array<'hang'>(4).fill('hang'),
  ...Array<'empty'>(2).fill('empty'),
  'server',
  'api',
] as const;

const EXPIRE_TIMERS = `UPDATE jobs SET due_at = now() WHERE due_at > now()
  AND (status = 'queued' OR status = 'inProgress' AND name !~ '^(mail|callback)\\.')`;

/** Expires the leases of modules that are, or were, being compiled. */
const EXPIRE_LEASES = `UPDATE embedded_modules SET due_at = now() WHERE status = 'wanted' AND due_at > now()`;

/** Faults that were injected. */
export interface Done {
  /** Number of kills by target. */
  killed: Map<string, number>;
  hung: number;
  emptied: number;
  /** Number of times a worker was killed or hung while a job was in progress, by kind of job. */
  struck: Map<string, number>;
}

/**
 * Injects faults at random moments until the given number of kills: kills and hangs workers, API processes and servers,
 * and empties Redis.
 */
export class FaultInjector {
  readonly done: Done = { killed: new Map(), hung: 0, emptied: 0, struck: new Map() };
  private readonly busy = new Set<Target>();

  constructor(
    private readonly stage: Stage,
    private readonly watcher: Watcher,
    private readonly random: Random,
  ) {}

  async run(kills: number): Promise<void> {
    const under: Promise<void>[] = [];
    for (let killed = 0; killed < kills;) {
      await sleep(this.random.between(...BETWEEN_MS));
      while (!this.isTime()) await sleep(IDLE_MS);
      const fault = this.random.oneOf(FAULTS);
      if (fault === 'kill' && ++killed % 10 === 0) process.stderr.write(`${killed} kills\n`);
      under.push(this.strike(fault));
    }
    await Promise.all(under);
    await this.passTime();
  }

  /** Whether a fault would interrupt any work. */
  private isTime(): boolean {
    const { underWay } = this.watcher;
    const isLast = underWay.some(({ attempts }) => attempts >= MAX_FAULTS_PER_JOB);
    return this.busy.size < MAX_CONCURRENT && underWay.length > 0 && !(isLast && this.random.next() < MERCY);
  }

  private async strike(fault: (typeof FAULTS)[number]): Promise<void> {
    const free = (targets: readonly Target[]) => targets.filter((target) => !this.busy.has(target));
    switch (fault) {
      case 'empty':
        this.done.emptied++;
        return this.redis((redis) => redis.flushall());
      case 'kill':
        return this.kill(this.random.oneOf(free(this.stage.workers)));
      case 'server':
        return this.kill(this.random.oneOf(free(this.stage.servers)));
      case 'api':
        return this.kill(this.random.oneOf(free(this.stage.apis)));
      case 'hang':
        return this.hang(this.random.oneOf(free(this.stage.workers)));
    }
  }

  private async kill(target: Target | undefined): Promise<void> {
    if (!target) return;
    add(this.done.killed, target.name);
    await this.against(target, async () => {
      await target.kill();
      await this.passTime();
    });
  }

  /** While the worker hangs, others take over its work; it then continues unaware of that. */
  private async hang(target: Target | undefined): Promise<void> {
    if (!target) return;
    this.done.hung++;
    await this.against(target, async () => {
      const hung = hang(target, this.random.between(...HANG_MS));
      await this.passTime();
      await hung;
    });
  }

  private async against(target: Target, work: () => Promise<void>): Promise<void> {
    this.busy.add(target);
    if (this.stage.workers.some((worker) => worker === target))
      for (const { name } of this.watcher.underWay) add(this.done.struck, name);
    try {
      await work();
    } finally {
      this.busy.delete(target);
    }
  }

  /**
   * Simulates that no worker has sent a heartbeat for 20 seconds and that all retry delays have passed. Mails and
   * callbacks in flight are left alone: a second worker would send them again, which is their documented behavior.
   */
  private async passTime(): Promise<void> {
    await this.stage.rows(EXPIRE_TIMERS).catch(() => undefined);
    await this.stage.rows(EXPIRE_LEASES).catch(() => undefined);
    await this.redis(async (redis) => {
      const locks = await redis.keys('*:lock');
      if (locks.length > 0) await redis.del(locks);
    });
  }

  /** Does nothing if Redis is unavailable. */
  private async redis(work: (redis: Redis) => Promise<unknown>): Promise<void> {
    const redis = new Redis(this.stage.redisUrl, { maxRetriesPerRequest: 1, retryStrategy: () => null });
    redis.on('error', () => undefined);
    await work(redis).catch(() => undefined);
    redis.disconnect();
  }
}

const add = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
