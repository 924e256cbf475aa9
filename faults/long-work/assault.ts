import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { Stage } from '../stage.js';
import { hang, type Target } from '../targets.js';
import type { Watcher } from './watcher.js';

const BETWEEN_MS = [150, 1_200] as const;
const HANG_MS = [1_000, 6_000] as const;
/** With more there would be nothing to kill. */
const MOST_AT_ONCE = 2;
/** Jobs are given up after five attempts: at the last but one they are left alone, most of the time. */
const ATTEMPTS_BEFORE_MERCY = 4;
const MERCY = 0.9;
const IDLE_MS = 50;

/** What is done to a platform, and how often of twenty. */
const FAULTS = [
  ...Array<'kill'>(12).fill('kill'),
  ...Array<'hang'>(4).fill('hang'),
  ...Array<'empty'>(2).fill('empty'),
  'server',
  'api',
] as const;

const PASS_TIME = `UPDATE jobs SET due_at = now() WHERE due_at > now()
  AND (status = 'queued' OR status = 'inProgress' AND name !~ '^(mail|callback)\\.')`;

/** Of modules that a compiler has, or had. */
const PASS_LEASES = `UPDATE embedded_modules SET due_at = now() WHERE status = 'wanted' AND due_at > now()`;

/** What was done. */
export interface Done {
  /** By what was killed. */
  killed: Map<string, number>;
  hung: number;
  emptied: number;
  /** By the kind of job: how often a worker was killed or hung while it was under way. */
  struck: Map<string, number>;
}

/** Kills and hangs workers at random moments of their work until so many were killed, and much else besides. */
export class Assault {
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

  /** Whether there is something to strike. */
  private isTime(): boolean {
    const { underWay } = this.watcher;
    const isLast = underWay.some(({ attempts }) => attempts >= ATTEMPTS_BEFORE_MERCY);
    return this.busy.size < MOST_AT_ONCE && underWay.length > 0 && !(isLast && this.random.next() < MERCY);
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

  /** While it hangs others take up what it had, and it goes on without knowing. */
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
   * As if nothing had been heard for 20 seconds of those that have jobs, dead or alive, and pauses were over. Mails and callbacks
   * that are on their way are let be: a second worker would only send them again, as they promise.
   */
  private async passTime(): Promise<void> {
    await this.stage.rows(PASS_TIME).catch(() => undefined);
    await this.stage.rows(PASS_LEASES).catch(() => undefined);
    await this.redis(async (redis) => {
      const locks = await redis.keys('*:lock');
      if (locks.length > 0) await redis.del(locks);
    });
  }

  /** A Redis that is away needs none of it. */
  private async redis(work: (redis: Redis) => Promise<unknown>): Promise<void> {
    const redis = new Redis(this.stage.redisUrl, { maxRetriesPerRequest: 1, retryStrategy: () => null });
    redis.on('error', () => undefined);
    await work(redis).catch(() => undefined);
    redis.disconnect();
  }
}

const add = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);
