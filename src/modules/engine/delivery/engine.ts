import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { nanoid } from 'nanoid';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../lib/errors/errors.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import { databaseError } from '../../../platform/responses/database-errors.js';
import { dataOf } from '../../../platform/streams/held-events.js';
import { Streams, type Subscription } from '../../../platform/streams/streams.js';
import {
  Handover,
  LANES_CHANNEL,
  type CommittedRun,
  type LaneOwner,
  type WaitingRun,
} from '../../../workflows/runs/handover.js';
import type { RunTrigger } from '../../../workflows/runs/run-trigger.js';
import { EngineMetrics } from './engine-metrics.js';
import { FairQueue, type Taken } from './fair-queue.js';
import { Finisher } from './finisher.js';
import { InboxReader } from './inbox-reader.js';
import { LaneLeasesRepository } from './lane-leases.repository.js';
import { Lanes, type Lane } from './lanes.js';
import { ProgramsRepository, type FoundRun } from './programs.repository.js';
import { RunInboxRepository } from './run-inbox.repository.js';
import { failedRun, RunExecutor, type Executed } from './run-executor.js';

/** A run of this engine. Small, because many can wait. */
interface Entry {
  seq: number;
  lane: Lane;
  /** In milliseconds since 1970. */
  requestedAt: number;
  /** Whether the run may have begun in an engine that died. */
  mayHaveBegun: boolean;
  /** The run, if it was just stored and need not wait. Others are read when their turn comes. */
  committed?: CommittedRun;
}

const BALANCE_MS = 5_000;
/** Processor time of an application in a round, in milliseconds. */
const QUANTUM_MS = 4;
/** Maximum number of open runs in this process. */
const MAX_OPEN = 5_000;
/** Maximum number of runs that are read together, and of such readings under way. */
const MAX_BATCH = 100;
const MAX_LOADING = 2;
/** Maximum number of runs in memory. Further ones wait in the inbox. */
const MAX_KNOWN = 100_000;
/** Counted beginnings after which a run is not begun again. The first beginning usually is not counted. */
const MAX_COUNTED_ATTEMPTS = 2;
const RETRY_MS = 1_000;
/** Time in milliseconds for which a program is taken as current after its stamp was read. */
const FRESH_MS = 250;

/**
 * Executes runs. Owns some of the lanes of the inbox, finds their runs, and executes them with equal shares for all
 * applications. If the process dies, other engines take over its lanes and repeat the runs that it has not stored as
 * finished.
 */
@Injectable()
@RunsIn('engine')
export class Engine implements LaneOwner, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Engine.name);
  private readonly queue = new FairQueue<Entry>(QUANTUM_MS, (id) => this.lanes.maxOpen(id));
  private readonly lanes: Lanes;
  private readonly reader: InboxReader;
  /** Numbers of the runs in memory. */
  private readonly known = new Set<number>();
  /** Numbers of runs that are no longer in the inbox, but can be part of a reading that is under way. */
  private settled: number[] = [];
  private open = 0;
  /** Open runs that are not read yet, and the number of readings that are under way. */
  private readonly unread: Taken<Entry>[] = [];
  private loading = 0;
  private isReadingSoon = false;
  private subscription?: Subscription;
  private balancing: Promise<void> = Promise.resolve();
  private timer?: NodeJS.Timeout;
  private drained?: Promise<void>;

  constructor(
    private readonly leases: LaneLeasesRepository,
    private readonly inbox: RunInboxRepository,
    private readonly programs: ProgramsRepository,
    private readonly executor: RunExecutor,
    private readonly finisher: Finisher,
    private readonly handover: Handover,
    private readonly streams: Streams,
    private readonly metrics: EngineMetrics,
  ) {
    metrics.observe(this);
    this.lanes = new Lanes(nanoid(), leases);
    this.reader = new InboxReader(
      () => this.lanes.active,
      {
        read: (positions) => {
          // Runs that have been stored as finished are not found from now on.
          for (const seq of this.settled.splice(0)) this.known.delete(seq);
          return this.inbox.read(positions);
        },
      },
      (lane, { applicationId, seqs, requestedAt }, mayHaveBegun) => {
        for (const [i, seq] of seqs.entries())
          this.accept(applicationId, { seq, lane, requestedAt: requestedAt[i]!, mayHaveBegun });
        this.begin();
      },
      (error) => this.logger.warn(`Could not read requested runs: ${error.message}`),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    this.handover.register(this);
    this.subscription = await this.streams.subscribe(LANES_CHANNEL, {
      receive: (event) => this.reader.tell(dataOf(event) as number[]),
      missed: () => this.reader.tellAll(),
    });
    this.reader.start();
    await (this.balancing = this.balance());
  }

  onModuleDestroy(): Promise<void> {
    return this.drain(0);
  }

  /** Number of lanes of this engine. */
  get laneCount(): number {
    return this.lanes.count;
  }

  /** Number of runs that wait in this process. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Time at which the oldest waiting run was requested, in milliseconds since 1970; `Infinity` if none waits. */
  get oldest(): number {
    return this.queue.first.reduce((oldest, { requestedAt }) => Math.min(oldest, requestedAt), Infinity);
  }

  owns(lane: number): boolean {
    return this.lanes.get(lane) !== undefined;
  }

  ownLane(applicationId: string): number | undefined {
    return this.queue.hasRoom(applicationId) ? this.lanes.ownLane(applicationId) : undefined;
  }

  take(runs: readonly CommittedRun[]): void {
    for (const run of runs) {
      const { seq, applicationId } = run;
      const lane = this.lanes.get(run.lane);
      const committed = run.known && this.queue.hasRoom(applicationId) ? run : undefined;
      const requestedAt = run.requestedAt.getTime();
      if (lane) this.accept(applicationId, { seq, lane, requestedAt, mayHaveBegun: false, committed });
    }
    this.begin();
  }

  /**
   * Begins no more runs, waits for those that are open, and releases the lanes. Lanes with runs that do not end in time
   * are taken over when their leases expire.
   */
  drain(timeoutMs: number): Promise<void> {
    return (this.drained ??= this.stop(timeoutMs));
  }

  private async stop(timeoutMs: number): Promise<void> {
    this.lanes.stop();
    this.subscription?.close();
    await this.reader.stop();
    const end = performance.now() + timeoutMs;
    // Leases are renewed until then.
    while (this.open > 0 && performance.now() < end) await sleep(20);
    clearTimeout(this.timer);
    await this.balancing;
    clearTimeout(this.timer);
    await this.lanes
      .releaseIdle()
      .then(() => this.leases.leave(this.lanes.engineId))
      .catch((error: Error) => this.logger.warn(`Could not release the lanes of runs: ${error.message}`));
  }

  private async balance(): Promise<void> {
    try {
      const claimed = await this.lanes.balance();
      if (claimed.length > 0) this.reader.tellAll();
    } catch (error) {
      this.logger.warn(`Could not renew the lanes of runs: ${(error as Error).message}`);
    }
    this.timer = setTimeout(() => void (this.balancing = this.balance()), BALANCE_MS);
  }

  private accept(applicationId: string, entry: Entry): void {
    const { seq } = entry;
    if (this.known.has(seq) || this.known.size >= MAX_KNOWN) return;
    this.known.add(seq);
    this.queue.push(applicationId, entry);
  }

  /** Begins waiting runs while there is room: those that were just stored at once, others when they are read. */
  private begin(): void {
    const now = performance.now();
    for (let taken = this.takeNext(); taken; taken = this.takeNext()) {
      const found = foundOf(taken.item, now);
      if (found) this.start(taken, found);
      else this.unread.push(taken);
    }
    this.readTaken();
  }

  /** Runs for which there is room after a statement has stored others share one reading. */
  private readTaken(): void {
    if (this.unread.length === 0 || this.isReadingSoon) return;
    this.isReadingSoon = true;
    queueMicrotask(() => {
      this.isReadingSoon = false;
      this.readUnread();
    });
  }

  private readUnread(): void {
    while (this.loading < MAX_LOADING && this.unread.length > 0) {
      this.loading++;
      void this.beginBatch(this.unread.splice(0, MAX_BATCH)).finally(() => {
        this.loading--;
        this.readUnread();
      });
    }
  }

  /** Returns the next run, which counts as open until it is closed. */
  private takeNext(): Taken<Entry> | undefined {
    while (this.open < MAX_OPEN) {
      const taken = this.queue.take();
      if (!taken) return undefined;
      const { seq, lane } = taken.item;
      if (this.lanes.get(lane.lane) === lane) {
        lane.open++;
        this.open++;
        return taken;
      }
      this.queue.finish(taken, 0);
      this.known.delete(seq);
    }
    return undefined;
  }

  private start(taken: Taken<Entry>, found: FoundRun): void {
    this.executor.turns.add(found.run.applicationId, () => void this.run(taken, found));
  }

  private async beginBatch(batch: readonly Taken<Entry>[]): Promise<void> {
    let found: Map<number, FoundRun>;
    try {
      found = await this.programs.find(batch.map(({ item: { seq, lane } }) => ({ seq, lane: lane.lane })));
      const repeated = batch.flatMap(({ item }) => {
        const one = found.get(item.seq);
        return one && item.mayHaveBegun && !hasFailedRepeatedly(item, one) ? [one.run] : [];
      });
      if (repeated.length > 0) await this.inbox.countAttempts(repeated);
    } catch (error) {
      this.logger.warn(`Could not begin ${batch.length} runs: ${(error as Error).message}`);
      await sleep(RETRY_MS);
      found = new Map();
    }
    for (const taken of batch) {
      const one = found.get(taken.item.seq);
      // If the inbox still has it, it is found again.
      if (one) this.start(taken, one);
      else this.close(taken, 0);
    }
  }

  private async run(taken: Taken<Entry>, found: FoundRun): Promise<void> {
    const { item } = taken;
    const { run, facts } = found;
    // The leases may have expired in the meantime.
    if (this.lanes.get(run.lane) !== item.lane && !item.lane.isLeaving) return this.close(taken, 0);
    try {
      const executed = hasFailedRepeatedly(item, found)
        ? failedRun('The run was interrupted three times')
        : await this.executor.execute(run, facts);
      this.store(taken, run, executed);
    } catch (error) {
      if (!(databaseError(error) instanceof Unavailable))
        return this.store(taken, run, this.failed(error as Error));
      // The program could not be read; the run is found again in the inbox.
      await sleep(RETRY_MS);
      this.close(taken, 0);
    }
  }

  private failed(error: Error): Executed {
    this.logger.error(`A run failed: ${error.message}`, error.stack);
    return failedRun('The run failed because of an error of the platform');
  }

  private store(taken: Taken<Entry>, { id, applicationId, seq }: WaitingRun, executed: Executed): void {
    const stored = () => this.close(taken, executed.used);
    this.metrics.countRun(outcomeOf(executed));
    const { lane, fence } = taken.item.lane;
    this.finisher.add({ id, applicationId, lane, seq, fence, stored, ...executed });
  }

  /** Ends the work on a run. If it is not stored as finished, it is found again in the inbox. */
  private close(taken: Taken<Entry>, used: number): void {
    const { seq, lane } = taken.item;
    this.settled.push(seq);
    this.queue.finish(taken, used);
    this.open--;
    lane.open--;
    if (lane.isLeaving && lane.open === 0)
      this.lanes
        .releaseIdle()
        .catch((error: Error) => this.logger.warn(`Could not release a lane: ${error.message}`));
    this.begin();
  }
}

const outcomeOf = ({ isStored, pathsFailed }: Executed) =>
  isStored ? (pathsFailed > 0 ? 'failed' : 'completed') : 'discarded';

/** Returns a run that was just stored, with what its statement knows of it. */
function foundOf({ committed }: Entry, now: number): FoundRun | undefined {
  if (!committed?.known || now - committed.known.readAt > FRESH_MS) return undefined;
  const { stamp, trigger } = committed.known;
  const facts = { stamp, trigger: JSON.parse(trigger) as RunTrigger, device: null, hasEffects: false };
  return { run: committed, attempts: 0, facts };
}

const hasFailedRepeatedly = ({ mayHaveBegun }: Entry, { attempts }: FoundRun): boolean =>
  mayHaveBegun && attempts >= MAX_COUNTED_ATTEMPTS;
