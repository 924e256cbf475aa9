import type { Lane } from './lanes.js';
import { PAGE, type LanePosition, type LaneRuns, type RunInboxRepository } from './run-inbox.repository.js';

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
export type Inbox = Pick<RunInboxRepository, 'read'>;
/** Runs of an application in a lane of the reader, and whether the previous owner of the lane may have begun them. */
export type TakeRuns = (lane: Lane, runs: LaneRuns, mayHaveBegun: boolean) => void;

/** Interval of looks for runs whose announcement was lost, and of reading everything. */
const LOOK_MS = 1_000;
const FULL_MS = 2_000;
/** Statements that read everything take at most this part of the time. */
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
   * @param take receives runs, including those that it has received before
   */
  constructor(
    private readonly lanes: () => readonly Lane[],
    private readonly inbox: Inbox,
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
        await (due.isFull ? this.readFully(due.positions) : this.read(due.positions));
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
   * Returns the positions of lanes that were just announced, except for some, and counts them as read: their runs need not
   * wait for the many of another lane.
   */
  private takeTold(except: readonly LanePosition[]): LanePosition[] {
    const due = this.current(performance.now()).filter(
      ({ lane: { lane } }) => this.told.has(lane) && !except.some((position) => position.lane === lane),
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

  private async readFully(positions: readonly LanePosition[]): Promise<void> {
    const began = performance.now();
    const spent = await this.read(positions);
    if (this.fullDueAt === Infinity) this.fullDueAt = began + Math.max(FULL_MS, spent / FULL_SHARE);
  }

  /** Reads lanes to their ends, in pages. Returns the time in milliseconds that the statements took. */
  private async read(positions: readonly LanePosition[]): Promise<number> {
    let spent = 0;
    for (let left = begunNow(positions); left.length > 0 && !this.isStopped;) {
      const now = performance.now();
      const found = await this.inbox.read(left);
      spent += performance.now() - now;
      const further = left.flatMap((position) => {
        const runs = found.filter(({ lane }) => lane === position.lane);
        for (const part of runs) this.receive(part);
        const last = Math.max(position.after, ...runs.map(({ seqs }) => seqs.at(-1)!));
        if (runs.reduce((sum, { seqs }) => sum + seqs.length, 0) === PAGE)
          return [{ lane: position.lane, after: last, began: position.began }];
        this.advance(position.lane, last, position.began, now);
        return [];
      });
      left = further.length > 0 ? [...further, ...begunNow(this.takeTold(further))] : [];
    }
    return spent;
  }

  private receive(runs: LaneRuns): void {
    const progress = this.progress.get(runs.lane);
    // Until the first reading has settled, runs may be those of the previous owner.
    if (progress) this.take(progress.lane, runs, progress.lane.wasAbandoned && progress.low === 0);
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
  return positions.map((position) => ({ began, ...position }));
}
