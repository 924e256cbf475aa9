import type { Lane } from './lanes.js';
import { PAGE, type InboxRun, type LanePosition } from './run-inbox.repository.js';

/** How far a lane was read. */
interface Progress {
  lane: Lane;
  /** Runs with numbers up to this one were read, except those whose transactions took longer than `SETTLING_MS`. */
  low: number;
  /** Highest number that was read, at a time; becomes `low` after `SETTLING_MS`. */
  high: number;
  highSince: number;
}

/** Runs of the reader's lanes, and whether the previous owner of the lane may have begun them. */
export type TakeRuns = (lane: Lane, runs: readonly InboxRun[], mayHaveBegun: boolean) => void;

/** Interval of looks for runs whose announcement was lost, and of reading everything. */
const LOOK_MS = 1_000;
const FULL_MS = 2_000;
/** A full reading takes at most this part of the time. */
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
   * @param read returns a page of runs after each position
   * @param take receives runs, including those that it has received before
   */
  constructor(
    private readonly lanes: () => readonly Lane[],
    private readonly read: (positions: readonly LanePosition[]) => Promise<InboxRun[]>,
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
      for (let due = this.takeDue(); due.length > 0 && !this.isStopped; due = this.takeDue())
        await this.readFrom(due);
    } catch (error) {
      this.fullDueAt = performance.now() + FULL_MS;
      this.failed(error as Error);
    } finally {
      this.reading = undefined;
    }
  }

  /** Returns the positions that are due, and counts them as read. */
  private takeDue(): LanePosition[] {
    const now = performance.now();
    const isFull = now >= this.fullDueAt;
    const isLook = isFull || now - this.lookedAt >= LOOK_MS - 1;
    if (isLook) this.lookedAt = now;
    if (isFull) this.fullDueAt = Infinity;
    const due = this.current(now).filter(({ lane }) => isLook || this.told.has(lane.lane));
    this.told.clear();
    return due.map(({ lane, low }) => ({ lane: lane.lane, after: isFull ? 0 : low }));
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
    const began = performance.now();
    for (let left = positions; left.length > 0 && !this.isStopped;) {
      const runs = await this.read(left);
      left = left.flatMap(({ lane }) => {
        const page = runs.filter((run) => run.lane === lane);
        this.receive(lane, page, began);
        return page.length === PAGE ? [{ lane, after: page.at(-1)!.seq }] : [];
      });
    }
    const now = performance.now();
    if (this.fullDueAt === Infinity) this.fullDueAt = began + Math.max(FULL_MS, (now - began) / FULL_SHARE);
  }

  private receive(number: number, runs: readonly InboxRun[], began: number): void {
    const progress = this.progress.get(number);
    if (!progress) return;
    const { lane, low, high, highSince } = progress;
    // Until the first reading has settled, runs may be those of the previous owner.
    this.take(lane, runs, lane.wasAbandoned && low === 0);
    if (began - highSince < SETTLING_MS) return;
    progress.low = high;
    progress.high = Math.max(high, runs.at(-1)?.seq ?? 0);
    progress.highSince = began;
  }
}
