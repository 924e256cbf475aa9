import { jest } from '@jest/globals';
import { waitUntil } from '../../../../test/setup/until.js';
import { InboxReader, type Inbox } from './inbox-reader.js';
import type { Lane } from './lanes.js';
import { KEYS_PAGE, PAGE, type InboxRun, type LanePosition } from './run-inbox.repository.js';

const MANY = 5 * PAGE + 1;

/** An inbox in memory, and a reader of two of its lanes. */
class Reading {
  readonly runs = new Map<number, number[]>([
    [1, []],
    [2, []],
  ]);
  readonly received: string[] = [];
  /** Positions of each statement that reads runs. */
  readonly asked: LanePosition[][] = [];
  now = 10_000;
  readonly reader: InboxReader;
  private readonly known = new Set<number>();

  constructor(private readonly meanwhile: (statement: number) => void = () => undefined) {
    jest.spyOn(performance, 'now').mockImplementation(() => this.now);
    const lanes = [1, 2].map((lane): Lane => ({
      lane,
      fence: 1,
      wasAbandoned: false,
      open: 0,
      isLeaving: false,
    }));
    const page = ({ lane, after }: LanePosition, max: number): number[] =>
      this.runs
        .get(lane)!
        .filter((seq) => seq > after)
        .slice(0, max);
    const run = (lane: number, seq: number) => ({ lane, seq }) as InboxRun;
    const inbox: Inbox = {
      read: (positions) => {
        this.asked.push([...positions]);
        const found = positions.flatMap((at) => page(at, PAGE).map((seq) => run(at.lane, seq)));
        this.meanwhile(this.asked.length);
        return Promise.resolve(found);
      },
      keys: (positions) =>
        Promise.resolve(positions.map((at) => ({ lane: at.lane, seqs: page(at, KEYS_PAGE) }))),
      load: (lane, seqs) => {
        this.meanwhile(0);
        return Promise.resolve(seqs.map((seq) => run(lane, seq)));
      },
    };
    this.reader = new InboxReader(
      () => lanes,
      inbox,
      (seq) => this.known.has(seq),
      (_lane, runs) => {
        for (const { lane, seq } of runs) {
          this.known.add(seq);
          this.received.push(`${lane}:${seq}`);
        }
      },
      (error) => {
        throw error;
      },
    );
  }

  add(lane: number, from: number, count: number): void {
    this.runs.get(lane)!.push(...Array.from({ length: count }, (_, i) => from + i));
  }

  /** Reads all that is due, at a time later than before. */
  async after(milliseconds: number, lanes: readonly number[] = []): Promise<void> {
    this.now += milliseconds;
    this.reader.tell(lanes);
    await waitUntil(() => Promise.resolve(!this.reader.isReading));
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('A reader of the inbox', () => {
  it('reads announced lanes before the rest of a long one', async () => {
    const reading = new Reading((statement) => {
      if (statement !== 3) return;
      reading.add(2, 100_000, 1);
      reading.reader.tell([2]);
    });
    await reading.after(0);
    reading.add(1, 1, MANY);
    await reading.after(100, [1]);
    expect(reading.received.length).toBe(MANY + 1);
    expect(reading.received.indexOf('2:100000')).toBeLessThanOrEqual(4 * PAGE);
  });

  it('reads announced lanes between the pages of all that is unknown', async () => {
    const reading = new Reading((statement) => {
      if (statement !== 0 || reading.runs.get(2)!.length > 0) return;
      reading.add(2, 100_000, 1);
      reading.reader.tell([2]);
    });
    reading.add(1, 1, MANY);
    await reading.after(0);
    expect(reading.received.length).toBe(MANY + 1);
    expect(reading.received.indexOf('2:100000')).toBeLessThan(2 * PAGE);
  });

  it('does not read a long lane again once it has settled', async () => {
    const reading = new Reading();
    reading.add(1, 1, MANY);
    for (let looks = 0; looks < 3; looks++) await reading.after(1_000);
    const before = reading.asked.length;
    reading.add(1, MANY + 1, 1);
    await reading.after(1_000, [1]);
    expect(reading.asked.slice(before)).toEqual([
      [
        { lane: 1, after: MANY, began: reading.now },
        { lane: 2, after: 0, began: reading.now },
      ],
    ]);
    expect(reading.received.at(-1)).toBe(`1:${MANY + 1}`);
  });

  it('finds runs that become visible after others with higher numbers', async () => {
    const reading = new Reading();
    await reading.after(0);
    reading.add(1, 10, 1);
    await reading.after(1_000, [1]);
    reading.runs.set(1, [9, 10]);
    await reading.after(400, [1]);
    expect(reading.received).toContain('1:9');
  });
});
