import { jest } from '@jest/globals';
import { waitUntil } from '../../../../test/setup/until.js';
import { InboxReader, type Inbox } from './inbox-reader.js';
import type { Lane } from './lanes.js';
import { PAGE, type LanePosition, type LaneRuns } from './run-inbox.repository.js';

const MANY = 5 * PAGE + 1;

/** Every second run belongs to another application. */
const byApplication = ({ lane, seqs }: { lane: number; seqs: number[] }): LaneRuns[] =>
  [0, 1]
    .map((rest) => seqs.filter((seq) => seq % 2 === rest))
    .filter((own) => own.length > 0)
    .map((own) => ({ lane, applicationId: `${own[0]! % 2}`, seqs: own, requestedAt: own.map(() => 0) }));

/** An inbox in memory, and a reader of two of its lanes. */
class Reading {
  readonly runs = new Map<number, number[]>([
    [1, []],
    [2, []],
  ]);
  readonly received = new Set<string>();
  /** Positions of each statement that reads runs. */
  readonly asked: LanePosition[][] = [];
  now = 10_000;
  readonly reader: InboxReader;

  constructor(private readonly meanwhile: (statement: number) => void = () => undefined) {
    jest.spyOn(performance, 'now').mockImplementation(() => this.now);
    const lanes = [1, 2].map((lane): Lane => ({
      lane,
      fence: 1,
      wasAbandoned: false,
      open: 0,
      isLeaving: false,
    }));
    const inbox: Inbox = {
      read: (positions) => {
        this.asked.push([...positions]);
        const found = positions.map(({ lane, after }) => ({
          lane,
          seqs: this.runs
            .get(lane)!
            .filter((seq) => seq > after)
            .slice(0, PAGE),
        }));
        this.meanwhile(this.asked.length);
        return Promise.resolve(found.filter(({ seqs }) => seqs.length > 0).flatMap(byApplication));
      },
    };
    this.reader = new InboxReader(
      () => lanes,
      inbox,
      (_lane, { lane, seqs }) => {
        for (const seq of seqs) this.received.add(`${lane}:${seq}`);
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
  const placeOf = ({ received }: Reading, run: string): number => [...received].indexOf(run);

  it.each(['what is announced', 'everything'])(
    'reads announced lanes before the rest of a long one, when it reads %s',
    async (what) => {
      const reading = new Reading((statement) => {
        if (statement !== 3) return;
        reading.add(2, 100_000, 1);
        reading.reader.tell([2]);
      });
      if (what !== 'everything') await reading.after(0);
      reading.add(1, 1, MANY);
      await reading.after(100, [1]);
      expect(reading.received.size).toBe(MANY + 1);
      expect(placeOf(reading, '2:100000')).toBeLessThanOrEqual(4 * PAGE);
    },
  );

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
    expect([...reading.received].at(-1)).toBe(`1:${MANY + 1}`);
  });

  it('finds runs that become visible after others with higher numbers', async () => {
    const reading = new Reading();
    await reading.after(0);
    reading.add(1, 10, 1);
    await reading.after(1_000, [1]);
    reading.runs.set(1, [9, 10]);
    await reading.after(400, [1]);
    expect([...reading.received]).toContain('1:9');
  });
});
