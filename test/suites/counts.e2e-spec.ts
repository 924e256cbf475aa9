import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { countedRows, holdings } from '../../src/families.js';
import { countTriggers, counterName } from '../../src/platform/counts/count-triggers.js';
import { aggregateCounts } from '../../src/platform/counts/counts-aggregator.js';
import { dailyCountsSql } from '../../src/platform/counts/daily-counts.js';
import { countSql, countsSql, parseCounts, type Counts } from '../../src/platform/counts/counts.js';
import { missingCounters } from '../../src/platform/counts/missing-counters.js';
import { JobLogCounts1795635000004 } from '../../src/migrations/1795635000004-JobLogCounts.js';
import { verifyCounts } from '../../src/platform/counts/verify-counts.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { makeField, type Field } from '../make/field.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';
import { waitUntil } from '../setup/until.js';

const DAY_MS = 86_400_000;

let scratch: FreshDatabase;
let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  scratch = await freshDatabase({ migrated: true });
  dataSource = await createDataSource({ url: scratch.url, poolSize: 8 }).initialize();
  database = new Database(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await scratch.drop();
});

const foldAll = async () => {
  while (await aggregateCounts(database));
};
/** Returns the number of devices of an owner, an application or an instance, from the daily counts. */
const devicesByDay = async (of: 'application' | 'owner' | 'instance', id: string): Promise<number> => {
  const [row] = await dataSource.query<{ n: number }[]>(
    `SELECT coalesce(sum(added - removed), 0)::int AS n FROM (${dailyCountsSql(of)}) d`,
    [[id], 'deviceCount', new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() + DAY_MS)],
  );
  return row!.n;
};
const devicesOf = async (owners: readonly string[]): Promise<number> => {
  const [row] = await dataSource.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM devices d JOIN applications a ON a.id = d.application_id AND a.deleted_at IS NULL
     WHERE a.owner_id = ANY ($1) AND d.deleted_at IS NULL`,
    [owners],
  );
  return row!.n;
};
const differences = () => verifyCounts(dataSource, countedRows, { mend: false });
const countsOf = async (id: string, owner: boolean): Promise<Counts> => {
  const [row] = await dataSource.query<{ counts: string }[]>(
    `SELECT ${countsSql('$1', { owner })} AS counts`,
    [id],
  );
  return parseCounts(row!.counts);
};

const filesOf = (n: number): string => (n % 2 ? 'files' : 'private_files');
/** Statements over the rows of a field, each with parameters that select its rows. */
type Step = readonly [name: string, a: number, b: number, size: number];
const STEPS: Readonly<Record<string, (field: Field, step: Step) => [string, unknown[]]>> = {
  webhooks: ({ apps }, [, a, b, size]) => [
    `INSERT INTO webhooks (id, creation_date, last_updated, application_id, name, token, enabled, is_websocket, wait_for_reply,
       response_code, verification_type, annotate_multipart)
     SELECT substr(md5(random()::text), 1, 24), now(), now(), app, 'a', md5(random()::text), true, false, false, 200, 'none', false
     FROM unnest($1::text[]) app, generate_series(1, $2)`,
    [[apps[a % 5], apps[b % 5]], size],
  ],
  flows: ({ apps }, [, a, b, size]) => [
    `INSERT INTO flows (id, creation_date, last_updated, application_id, name, flow_class, enabled, triggers, nodes, globals)
     SELECT substr(md5(random()::text), 1, 24), now(), now(), $1, 'a', $3, true, '[]', '[]', '[]' FROM generate_series(1, $2)`,
    [apps[a % 5], size, ['cloud', 'edge'][b % 2]],
  ],
  devices: ({ apps }, [, a, b, size]) => [
    `INSERT INTO devices (id, creation_date, last_updated, application_id, name, tags, attributes, device_class, keep_duplicates,
       attribute_numbers, next_attribute_number)
     SELECT substr(md5(random()::text), 1, 24), now(), now(), $1, 'a', '[]', '[]', $3, false, '{}', 1
     FROM generate_series(1, $2)`,
    [apps[a % 5], size, ['standalone', 'gateway'][b % 2]],
  ],
  changeDevices: ({ apps }, [, a, b, size]) => [
    `UPDATE devices SET device_class = $2, deleted_at = $3 WHERE id IN (
       SELECT id FROM devices WHERE application_id = $1 ORDER BY id LIMIT $4)`,
    [apps[a % 5], ['standalone', 'gateway'][a % 2], b % 3 ? null : new Date(), size],
  ],
  storage: ({ apps }, [, a, b, size]) => [
    `INSERT INTO flow_storage (flow_id, key, value, application_id, last_updated)
     SELECT f.id, 'k' || n, to_jsonb(repeat('x', $2)), f.application_id, now()
     FROM (SELECT * FROM flows WHERE application_id = $1 ORDER BY id LIMIT 2) f, generate_series(1, $3) n
     ON CONFLICT (flow_id, key) DO UPDATE SET value = excluded.value`,
    [apps[a % 5], b, size],
  ],
  files: ({ apps }, [, a, b, size]) => [
    `INSERT INTO ${filesOf(a)} (id, creation_date, last_updated, application_id, parent_id, name, type, status, file_size, content_key)
     SELECT substr(md5(random()::text), 1, 24), now(), now(), $1, '', md5(random()::text), 'file', 'pending', 7 * $2, CASE WHEN $3 THEN md5(random()::text) END
     FROM generate_series(1, $4)`,
    [apps[a % 5], b, b % 3 === 0, size],
  ],
  fillFiles: ({ apps }, [, a, b, size]) => [
    `UPDATE ${filesOf(a)} SET file_size = $2, content_key = md5(random()::text), last_updated = now() WHERE id IN (
       SELECT id FROM ${filesOf(a)} WHERE application_id = $1 ORDER BY id LIMIT $3)`,
    [apps[a % 5], b, size],
  ],
  removeFiles: ({ apps }, [, a, , size]) => [
    `DELETE FROM ${filesOf(a)} WHERE id IN (SELECT id FROM ${filesOf(a)} WHERE application_id = $1 LIMIT $2)`,
    [apps[a % 5], size],
  ],
  tokens: ({ apps, users, instance }, [, a, b, size]) => [
    `INSERT INTO api_tokens (id, creation_date, last_updated, owner_id, owner_type, creator_id, creator_type, name, scope, status, token_hash)
     SELECT substr(md5(random()::text), 1, 24), now(), now(), $1, $2, $1, 'user', 'a', '[]', 'active', '' FROM generate_series(1, $3)`,
    b % 3 === 0
      ? [users[a % 2], 'user', size]
      : b % 3 === 1
        ? [apps[a % 5], 'application', size]
        : [instance, 'instance', size],
  ],
  members: ({ users, orgs }, [, a, b]) => [
    `INSERT INTO org_members (org_id, user_id, role, creation_date) VALUES ($1, $2, 'view', now()) ON CONFLICT DO NOTHING`,
    [orgs[a % 2], users[b % 2]],
  ],
  leave: ({ users, orgs }, [, a, b]) => [
    'DELETE FROM org_members WHERE org_id = $1 OR user_id = $2',
    [orgs[a % 2], users[b % 2]],
  ],
  removeSome: ({ apps }, [, a, , size]) => [
    'DELETE FROM webhooks WHERE id IN (SELECT id FROM webhooks WHERE application_id = $1 LIMIT $2)',
    [apps[a % 5], size],
  ],
  removeFlow: ({ apps }, [, a]) => [
    'DELETE FROM flows WHERE id = (SELECT min(id) FROM flows WHERE application_id = $1)',
    [apps[a % 5]],
  ],
  transfer: ({ apps, users, orgs }, [, a, b]) => [
    `UPDATE applications SET owner_id = $2, owner_type = $3 WHERE id = $1`,
    [apps[a % 5], [...users, ...orgs][b % 4], b % 4 < 2 ? 'user' : 'organization'],
  ],
  hide: ({ apps }, [, a]) => ['UPDATE applications SET deleted_at = now() WHERE id = $1', [apps[a % 5]]],
  show: ({ apps }, [, a]) => ['UPDATE applications SET deleted_at = NULL WHERE id = $1', [apps[a % 5]]],
  purge: ({ apps }, [, a]) => ['DELETE FROM applications WHERE id = $1', [apps[a % 5]]],
  deleteUser: ({ users }, [, a, b]) => [
    'UPDATE users SET permanent_deletion = $2 WHERE id = $1',
    [users[a % 2], b % 2 ? new Date() : null],
  ],
  deleteOrg: ({ orgs }, [, a, b]) => [
    'UPDATE orgs SET deleted_at = $2 WHERE id = $1',
    [orgs[a % 2], b % 2 ? new Date() : null],
  ],
};
const anyStep = fc.tuple(
  fc.constantFrom(...Object.keys(STEPS)),
  fc.nat(20),
  fc.nat(20),
  fc.integer({ min: 1, max: 7 }),
);

describe('Stored counts', () => {
  it('match the rows after any changes, before and after they are folded', async () => {
    const steps = fc.array(fc.tuple(anyStep, fc.constantFrom('keep', 'roll back', 'fold')), {
      minLength: 5,
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const field = await makeField(dataSource);
        for (const [step, then] of all) {
          const [text, values] = STEPS[step[0]]!(field, step);
          const change = dataSource.transaction(async (manager) => {
            // Purged rows cannot be written to.
            await manager.query(text, values).catch((error: { code?: string }) => {
              if (error.code !== '23503') throw error;
            });
            if (then === 'roll back') throw new Error('rolled back');
          });
          await change.catch((error: Error) => {
            if (error.message !== 'rolled back' && !/aborted/.test(error.message)) throw error;
          });
          if (then === 'fold') await foldAll();
        }
        expect(await differences()).toEqual([]);
        for (const then of ['as it is', 'folded']) {
          if (then === 'folded') await foldAll();
          const owners = [...field.users, ...field.orgs];
          for (const owner of owners)
            expect(await devicesByDay('owner', owner)).toBe(await devicesOf([owner]));
          expect(await devicesByDay('instance', field.instance)).toBe(await devicesOf(owners));
        }
        for (const holder of [...field.users, ...field.orgs]) {
          const before = await countsOf(holder, true);
          await foldAll();
          expect(nonZero(await countsOf(holder, true))).toEqual(nonZero(before));
        }
        expect(await differences()).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('match the rows after concurrent changes, transfers and folding', async () => {
    const field = await makeField(dataSource);
    const names = Object.keys(STEPS);
    const work = Array.from({ length: 160 }, async (_, i) => {
      if (i % 10 === 0) return aggregateCounts(database);
      const [text, values] = STEPS[names[i % names.length]!]!(field, ['', i * 7, i * 3, 1 + (i % 5)]);
      // Some statements refer to deleted rows, and some deadlock. A statement that PostgreSQL aborts changes nothing.
      return dataSource.query(text, values).catch((error: { code?: string }) => {
        if (!['23503', '40P01', '23505'].includes(error.code ?? '')) throw error;
      });
    });
    await Promise.all(work);
    await foldAll();
    expect(await differences()).toEqual([]);
    const [left] = await dataSource.query<{ n: number }[]>('SELECT count(*)::int AS n FROM count_deltas');
    expect(left).toEqual({ n: 0 });
  }, 60_000);

  const goes = { deleteUser: [0, 1], deleteOrg: [0, 1] } as const;
  const changes = { members: [0, 0], leave: [0, 1] } as const;
  const pairs = Object.keys(goes).flatMap((one) =>
    Object.keys(changes).flatMap((other) => [
      [one, other],
      [other, one],
    ]),
  );
  it.each(pairs)(
    "are correct when one transaction changes the other's owner: %s, then %s",
    async (first, second) => {
      const field = await makeField(dataSource);
      const statement = (name: string) => {
        const [a, b] = ({ ...goes, ...changes } as Record<string, readonly [number, number]>)[name]!;
        return STEPS[name]!(field, ['', a, b, 1]);
      };
      // A member must exist before leaving.
      if ([first, second].includes('leave')) await dataSource.query(...STEPS.members!(field, ['', 0, 0, 1]));
      let changed: Promise<unknown> = Promise.resolve();
      await dataSource.transaction(async (manager) => {
        await manager.query(...statement(first));
        let done = false;
        changed = dataSource.query(...statement(second)).finally(() => (done = true));
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        await waitUntil(async () => done || (await dataSource.query<object[]>(waiting)).length > 0);
      });
      await changed;
      await foldAll();
      expect(await differences()).toEqual([]);
    },
  );

  it('are verified and repaired, including the owner of applications', async () => {
    const field = await makeField(dataSource);
    await dataSource.query(...STEPS.webhooks!(field, ['', 0, 1, 3]));
    await foldAll();
    await dataSource.query(
      `UPDATE kept_counts SET counts = '{"webhookCount": 7}' WHERE holder_id = ANY ($1)`,
      [[field.apps[0], field.users[0]]],
    );
    await dataSource.query('UPDATE kept_counts SET owner_id = $2 WHERE holder_id = $1', [
      field.apps[1],
      field.orgs[0],
    ]);
    expect((await verifyCounts(dataSource, countedRows, { mend: true })).length).toBeGreaterThanOrEqual(2);
    expect(await differences()).toEqual([]);
    await foldAll();
    expect(await differences()).toEqual([]);
    expect(await countsOf(field.apps[0]!, false)).toMatchObject({ webhookCount: 3 });
  });

  it('of job logs are repaired by a migration, for applications that are younger than their jobs', async () => {
    const field = await makeField(dataSource);
    const add = (id: string, application: string) =>
      dataSource.query(
        `INSERT INTO jobs (id, name, payload, due_at, creation_date, last_updated, application_id, log_id)
         VALUES ($1, 'a', '{}', now(), now(), now(), $2, $1)`,
        [id, application],
      );
    const [young, other] = [field.apps[0]!, field.apps[1]!];
    await add(`${young}-1`, young);
    await add(`${young}-2`, young);
    await dataSource.query('DELETE FROM count_deltas WHERE holder_id = $1', [young]);
    await add(`${other}-1`, other);
    await foldAll();
    await dataSource.query('DELETE FROM jobs WHERE id = $1', [`${young}-1`]);
    const before = await differences();
    expect(before.map(({ holderId, kept }) => [holderId, kept])).toContainEqual([young, -1]);
    const runner = dataSource.createQueryRunner();
    await new JobLogCounts1795635000004().up(runner).finally(() => runner.release());
    expect(await differences()).toEqual([]);
    await foldAll();
    expect(await differences()).toEqual([]);
    expect(await countsOf(young, false)).toMatchObject({ jobLogCount: 1 });
  });

  it('are read individually with the same results as together', async () => {
    const field = await makeField(dataSource);
    for (const step of ['flows', 'flows', 'webhooks'])
      await dataSource.query(...STEPS[step]!(field, ['', 0, 1, 4]));
    const read = async (holder: string, kind: string, options: object) => {
      const [row] = await dataSource.query<{ n: number }[]>(
        `SELECT ${countSql('$1', `'${kind}'`, options)}::int AS n`,
        [holder],
      );
      return row!.n;
    };
    const [app, owner] = [field.apps[0]!, field.users[0]!];
    for (const fold of [false, true]) {
      if (fold) await foldAll();
      expect(await read(app, 'webhookCount', {})).toBe(4);
      expect(await read(app, 'flowCount', { parted: true })).toBe(8);
      expect(await read(app, 'flowCount:edge', {})).toBe(8);
      expect(await read(owner, 'webhookCount', { owner: true })).toBe(4);
      expect(await read(owner, 'appCount', { owner: true })).toBe(2);
    }
  });

  const ofTheForm = countedRows.filter(({ isMaintainedElsewhere }) => !isMaintainedElsewhere);
  it.each(ofTheForm.map((rows) => [counterName(rows), rows] as const))(
    'have triggers as declared: %s',
    async (name, rows) => {
      const installed = () =>
        dataSource.query<object[]>(
          `SELECT t.tgname, pg_get_triggerdef(t.oid) AS trigger, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
           WHERE p.proname = $1 ORDER BY t.tgname`,
          [name],
        );
      const before = await installed();
      expect(before.length).toBeGreaterThan(0);
      await dataSource.query(`DROP FUNCTION ${name} CASCADE`);
      for (const statement of countTriggers(rows)) await dataSource.query(statement);
      expect(await installed()).toEqual(before);
    },
  );

  it('are missing if the database has no trigger for them', async () => {
    expect(await missingCounters(dataSource, countedRows)).toEqual([]);
    const [rows] = ofTheForm;
    const absent = { ...rows!, name: 'absent' };
    expect(await missingCounters(dataSource, [...countedRows, absent])).toEqual([absent]);
  });

  it('cover every table of a holding, all of which belong to applications', async () => {
    for (const { table } of holdings) {
      const [column] = await dataSource.query<object[]>(
        `SELECT is_nullable FROM information_schema.columns WHERE table_name = $1 AND column_name = 'application_id'`,
        [table],
      );
      // Some jobs belong to no application.
      expect([table, column]).toEqual([table, { is_nullable: table === 'jobs' ? 'YES' : 'NO' }]);
    }
  });
});

const nonZero = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0));
