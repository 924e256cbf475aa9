import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { makeField } from '../../../../test/make/field.js';
import { freshDatabase, type FreshDatabase } from '../../../../test/setup/fresh-database.js';
import { createDataSource } from '../../../platform/database/data-source.js';
import { Database } from '../../../platform/database/database.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import { aggregatePayloads } from '../../../platform/payloads/payload-sums-aggregator.js';
import { NONBILLABLE_PAYLOADS, type PayloadType } from '../../../platform/payloads/payload-types.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DAY_MS, HOUR_MS } from './usage-window.js';
import { UsageRepository, type UsageSubject } from './usage.repository.js';
import { UsageService } from './usage.service.js';

let scratch: FreshDatabase;
let dataSource: DataSource;
let database: Database;
let usage: UsageService;

beforeAll(async () => {
  scratch = await freshDatabase({ migrated: true });
  dataSource = await createDataSource({ url: scratch.url, poolSize: 4 }).initialize();
  database = new Database(dataSource);
  usage = new UsageService(new UsageRepository(database));
});
afterAll(async () => {
  await dataSource.destroy();
  await scratch.drop();
});

const DEVICES = [newId(), newId()];
const COUNT = countPayloadsSql(
  'SELECT $1::text AS application_id, $2::text AS device_id, $3::text AS type, $4::text AS channel, $5::bigint AS n, $6::bigint AS bytes',
);
const foldAll = async () => {
  while (await aggregatePayloads(database));
};

/** Counted payload, with its age and its device, application and owner. */
interface Counted {
  app: string;
  owner: string;
  device: string | null;
  type: PayloadType;
  channel: string;
  n: number;
  bytes: number;
  time: number;
}

const anyPayload = fc.record({
  act: fc.constant('send' as const),
  app: fc.nat(4),
  device: fc.constantFrom(null, ...DEVICES),
  type: fc.constantFrom<PayloadType>('deviceState', 'webhook', 'event'),
  channel: fc.constantFrom('device.rest', 'flow.flow'),
  n: fc.integer({ min: 1, max: 5 }),
  bytes: fc.nat(100),
  ago: fc.oneof(
    fc.integer({ min: 0, max: 3 * DAY_MS }),
    fc.nat(72).map((hours) => hours * HOUR_MS),
  ),
  keep: fc.boolean(),
});
const anyAct = fc.oneof(
  { weight: 6, arbitrary: anyPayload },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('transfer' as const), app: fc.nat(4), to: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('hide' as const), app: fc.nat(4) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('purge' as const), app: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.constant({ act: 'fold' as const }) },
);

describe('Payload counts', () => {
  it('are attributed to the owner at the time, after transfers, deletions and rollbacks, with and without sums', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAct, { minLength: 5, maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(3 * DAY_MS), fc.nat(3 * DAY_MS)), { minLength: 2, maxLength: 2 }),
        async (acts, windows) => {
          const field = await makeField(dataSource);
          const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
          const owners = [...field.users, ...field.orgs];
          const ownerOf = new Map(field.apps.map((app, i) => [app, owners[i % 4]!]));
          const purged = new Set<string>();
          const counted: Counted[] = [];
          for (const act of acts) {
            if (act.act === 'fold') {
              await foldAll();
              continue;
            }
            const app = field.apps[act.app]!;
            if (act.act === 'hide')
              await dataSource.query('UPDATE applications SET deleted_at = now() WHERE id = $1', [app]);
            else if (act.act === 'purge') {
              await dataSource.query('DELETE FROM applications WHERE id = $1', [app]);
              purged.add(app);
            } else if (act.act === 'transfer') {
              const to = owners[act.to]!;
              await dataSource.query('UPDATE applications SET owner_id = $2 WHERE id = $1', [app, to]);
              ownerOf.set(app, to);
            } else {
              const { device, type, channel, n, bytes, ago, keep } = act;
              const time = now - ago;
              await send([app, device, type, channel, n, bytes], new Date(time), keep);
              if (keep && !purged.has(app))
                counted.push({ app, owner: ownerOf.get(app)!, device, type, channel, n, bytes, time });
            }
          }
          const scopes: [UsageSubject, (payload: Counted) => boolean][] = [
            [{ kind: 'instance', ids: [field.instance] }, () => true],
            ...owners.map((id): [UsageSubject, (payload: Counted) => boolean] => [
              { kind: 'owner', ids: [id] },
              ({ owner }) => owner === id,
            ]),
            ...field.apps
              .filter((id) => !purged.has(id))
              .map((id): [UsageSubject, (payload: Counted) => boolean] => [
                { kind: 'application', ids: [id] },
                ({ app }) => app === id,
              ]),
          ];
          for (const folded of [false, true]) {
            if (folded) await foldAll();
            for (const [of, isOf] of scopes) await check(of, counted.filter(isOf), windows.map(spanOf(now)));
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);

  /** Returns the time range of each window, in order and never empty. */
  const spanOf =
    (now: number) =>
    ([a, b]: [number, number]) => ({
      start: new Date(now - Math.max(a, b) - 1),
      end: new Date(now - Math.min(a, b)),
    });

  async function send(values: unknown[], time: Date, keep: boolean): Promise<void> {
    const done = dataSource.transaction(async (manager) => {
      await manager.query(COUNT, values);
      await manager.query('UPDATE payload_deltas SET time = $1 WHERE time = now()', [time]);
      if (!keep) throw new Error('rolled back');
    });
    await done.catch((error: Error) => {
      if (error.message !== 'rolled back') throw error;
    });
  }

  async function check(
    of: UsageSubject,
    payloads: Counted[],
    spans: { start: Date; end: Date }[],
  ): Promise<void> {
    for (const { start, end } of spans) {
      const from = Math.floor(start.getTime() / HOUR_MS) * HOUR_MS;
      const until = Math.ceil(end.getTime() / HOUR_MS) * HOUR_MS;
      const inside = payloads.filter(({ time }) => time >= from && time < until);
      const types: Record<string, Record<string, number>> = {};
      for (const { type, channel, n } of inside)
        (types[type] ??= {})[channel] = (types[type][channel] ?? 0) + n;
      expect(await usage.payloadCounts(of, { start, end, asBytes: false })).toEqual(types);
      const billed = inside.filter(({ type }) => !NONBILLABLE_PAYLOADS.includes(type));
      const breakdown = await usage.payloadCountsBreakdown(of, {
        start,
        end,
        asBytes: true,
        includeNonBillable: false,
        resolution: String(HOUR_MS),
      });
      expect(breakdown.counts).toEqual(
        Array.from({ length: (until - from) / HOUR_MS }, (_, i) => {
          const step = from + i * HOUR_MS;
          const those = billed.filter(({ time }) => time >= step && time < step + HOUR_MS);
          return { date: new Date(step), value: those.reduce((sum, { bytes }) => sum + bytes, 0) };
        }),
      );
    }
  }
});
