import { waitUntil } from '../../../test/setup/until.js';
import { Lease } from './lease.js';

const LEASE = new Lease<{ id: string; token: number }>({
  table: 'tasks',
  key: ['owner_id', 'id'],
  working: `status = 'running'`,
  ms: 80,
  holder: ({ id, token }) => ['owner', id, token],
});

describe('Lease', () => {
  it('builds the conditions and assignments of a table', () => {
    expect(LEASE.dueSql).toBe('due_at <= now()');
    expect(LEASE.claimSql).toBe(`due_at = now() + interval '80 milliseconds', attempts = attempts + 1`);
    expect(LEASE.heldSql).toBe(`owner_id = $1 AND id = $2 AND attempts = $3 AND status = 'running'`);
  });

  describe('hold', () => {
    let extended: number;
    let lost: number;
    beforeEach(() => (extended = lost = 0));

    const hold = <T>(answer: () => Promise<boolean>, work: () => Promise<T>): Promise<T> =>
      LEASE.hold(
        () => {
          extended++;
          return answer();
        },
        work,
        () => lost++,
      );

    /** Resolves after two heartbeats of a new holder. An earlier holder that still has heartbeats has one before. */
    const heartbeatsOfAnother = async (): Promise<void> => {
      let heartbeats = 0;
      await LEASE.hold(
        async () => ++heartbeats > 0,
        () => waitUntil(async () => heartbeats > 1),
        () => undefined,
      );
    };

    it('extends the lease until the work ends, and returns its result', async () => {
      const work = () => waitUntil(async () => extended > 4).then(() => 'done');
      expect(await hold(() => Promise.resolve(true), work)).toBe('done');
      const before = extended;
      await heartbeatsOfAnother();
      expect([extended, lost]).toEqual([before, 0]);
    });

    it('stops extending the lease if the work fails', async () => {
      const work = () => Promise.reject(new Error('broken'));
      await expect(hold(() => Promise.resolve(true), work)).rejects.toThrow('broken');
      await heartbeatsOfAnother();
      expect(extended).toBe(0);
    });

    it('calls `lost` if the lease is lost', async () => {
      await hold(
        () => Promise.resolve(false),
        () => waitUntil(async () => lost > 0),
      );
      expect(lost).toBeGreaterThan(0);
    });

    it('ignores failed heartbeats', async () => {
      await hold(
        () => Promise.reject(new Error('no database')),
        () => waitUntil(async () => extended > 4),
      );
      expect(lost).toBe(0);
    });
  });
});
