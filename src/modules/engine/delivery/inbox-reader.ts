import { setTimeout as sleep } from 'node:timers/promises';
import type { Lane } from './lanes.js';
import {
  KEYS_PAGE,
  PAGE,
  type InboxRun,
  type LanePosition,
  type RunInboxRepository,
} from './run-inbox.repository.js';

/** How far a lane was read. */
interface Progress {
  lane: Lane;
  /** Runs with numbers up to this one were read, except those whose transactions took longer than `SETTLING_MS`. */
  low: number;
  /** Highest number that was read, at a time; becomes `low` after `SETTLING_MS`. */
  high: number;
  highSince: number;
}

/** Position at which the reading of a lane goes on, and when the reading began. */
interface BegunPosition extends LanePosition {
  readonly began: number;
}

/** What a reader reads from. */
export type Inbox = Pick<RunInboxRepository, 'keys' | 'load' | 'read'>;
/** Runs of the reader's lanes, and whether the previous owner of the lane may have begun them. */
export type TakeRuns = (lane: Lane, runs: readonly InboxRun[], mayHaveBegun: boolean) => void;

/** Interval of looks for runs whose announcement was lost, and of reading everything. */
const LOOK_MS = 1_000;
const FULL_MS = 2_000;
/** Time between two pages of a lane. An engine cannot execute as many runs as it reads nevertheless. */
const PAUSE_MS = 5;
/** Reading the numbers of all runs takes at most this part of the time. */
const FULL_SHARE = 1 / 20;
/** Numbers are given when rows are inserted, so a row can become visible after others with higher numbers. */
const SETTLING_MS = 500;

/**
 * Finds runs in the lanes of this engine. New runs are usually announced; looks at short intervals find those whose
 * announcement was lost, and full readings those that were committed long after their number was given.
 */
export class InboxReader {
  private progress = new Map<number, Progress>();
  private readonly told = new Set<number>();
  private reading?: Promise<void>;
  private lookedAt = -Infinity;
  private fullDueAt = -Infinity;
  private timer?: NodeJS.Timeout;
  private isStopped = false;

  /**
   * @param lanes returns the lanes to read
   * @param isKnown whether a run was received before; full readings skip such runs
   * @param take receives runs, including those that it has received before
   */
  constructor(
    private readonly lanes: () => readonly Lane[],
    private readonly inbox: Inbox,
    private readonly isKnown: (seq: number) => boolean,
    private readonly take: TakeRuns,
    private readonly failed: (error: Error) => void,
  ) {}

  get isReading(): boolean {
    return this.reading !== undefined;
  }

  start(): void {
    this.timer = setInterval(() => this.tell([]), LOOK_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.reading;
  }

  /** Announces that lanes have new runs. */
  tell(lanes: readonly number[]): void {
    for (const lane of lanes) this.told.add(lane);
    if (!this.isStopped) this.reading ??= this.readDue();
  }

  /** Reads all lanes from their beginning, for example after announcements may have been lost. */
  tellAll(): void {
    this.fullDueAt = -Infinity;
    this.tell([]);
  }

  private async readDue(): Promise<void> {
    // `reading` must be assigned before it is cleared.
    await Promise.resolve();
    try {
      for (let due = this.takeDue(); due.positions.length > 0 && !this.isStopped; due = this.takeDue())
        await (due.isFull ? this.readFully(due.positions) : this.readFrom(due.positions));
    } catch (error) {
      this.fullDueAt = performance.now() + FULL_MS;
      this.failed(error as Error);
    } finally {
      this.reading = undefined;
    }
  }

  /** Returns the positions that are due, and counts them as read. */
  private takeDue(): { isFull: boolean; positions: LanePosition[] } {
    const now = performance.now();
    const isFull = now >= this.fullDueAt;
    const isLook = isFull || now - this.lookedAt >= LOOK_MS - 1;
    if (isLook) this.lookedAt = now;
    if (isFull) this.fullDueAt = Infinity;
    const due = this.current(now).filter(({ lane }) => isLook || this.told.has(lane.lane));
    this.told.clear();
    return { isFull, positions: due.map(({ lane, low }) => ({ lane: lane.lane, after: isFull ? 0 : low })) };
  }

  /**
   * Gives other work of the process time between two pages. Returns the positions of lanes that were just announced, except
   * for some, and counts them as read: their runs need not wait for the many of another lane.
   */
  private async pause(except: readonly number[]): Promise<LanePosition[]> {
    await sleep(PAUSE_MS);
    const due = this.current(performance.now()).filter(
      ({ lane: { lane } }) => this.told.has(lane) && !except.includes(lane),
    );
    for (const { lane } of due) this.told.delete(lane.lane);
    return due.map(({ lane, low }) => ({ lane: lane.lane, after: low }));
  }

  /** Returns the progress of the current lanes. Those that were claimed again start over. */
  private current(now: number): Progress[] {
    const lanes = this.lanes();
    this.progress = new Map(
      lanes.map((lane) => {
        const known = this.progress.get(lane.lane);
        const isSame = known?.lane === lane;
        return [lane.lane, isSame ? known : { lane, low: 0, high: 0, highSince: now }];
      }),
    );
    return [...this.progress.values()];
  }

  private async readFrom(positions: readonly LanePosition[]): Promise<void> {
    for (let left = begunNow(positions); left.length > 0 && !this.isStopped;) {
      const now = performance.now();
      const runs = await this.inbox.read(left);
      const further = left.flatMap(({ lane, after, began }) => {
        const page = runs.filter((run) => run.lane === lane);
        this.receive(lane, page);
        const last = page.at(-1)?.seq ?? after;
        if (page.length === PAGE) return [{ lane, after: last, began }];
        this.advance(lane, last, began, now);
        return [];
      });
      if (further.length === 0) return;
      left = [...further, ...begunNow(await this.pause(further.map(({ lane }) => lane)))];
    }
  }

  /** Reads the numbers of all runs, and those runs that are not known. */
  private async readFully(positions: readonly LanePosition[]): Promise<void> {
    const began = performance.now();
    let spent = 0;
    for (let left = positions; left.length > 0 && !this.isStopped;) {
      const now = performance.now();
      const pages = await this.inbox.keys(left);
      spent += performance.now() - now;
      const further: LanePosition[] = [];
      for (const { lane, seqs } of pages) {
        const unknown = seqs.filter((seq) => !this.isKnown(seq));
        for (let at = 0; at < unknown.length && !this.isStopped; at += PAGE) {
          this.receive(lane, await this.inbox.load(lane, unknown.slice(at, at + PAGE)));
          if (at + PAGE < unknown.length) await this.readFrom(await this.pause([lane]));
        }
        if (seqs.length === KEYS_PAGE) further.push({ lane, after: seqs.at(-1)! });
        else this.advance(lane, seqs.at(-1) ?? 0, began, now);
      }
      left = further;
    }
    if (this.fullDueAt === Infinity) this.fullDueAt = began + Math.max(FULL_MS, spent / FULL_SHARE);
  }

  private receive(number: number, runs: readonly InboxRun[]): void {
    const progress = this.progress.get(number);
    // Until the first reading has settled, runs may be those of the previous owner.
    if (progress && runs.length > 0)
      this.take(progress.lane, runs, progress.lane.wasAbandoned && progress.low === 0);
  }

  /** Records the highest number of a lane that was read to its end, and when the reading and its last statement began. */
  private advance(number: number, highest: number, began: number, endBegan: number): void {
    const progress = this.progress.get(number);
    if (!progress || began - progress.highSince < SETTLING_MS) return;
    progress.low = progress.high;
    progress.high = Math.max(progress.high, highest);
    progress.highSince = endBegan;
  }
}

function begunNow(positions: readonly LanePosition[]): BegunPosition[] {
  const began = performance.now();
  return positions.map((position) => ({ ...position, began }));
}
