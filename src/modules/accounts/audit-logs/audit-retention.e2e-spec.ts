import { startApp } from '../../../../test/setup/app.js';
import { defaultInstance, makeOrg, makeUser } from '../../../../test/make/make.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { AUDIT_LOG_COUNT } from '../../../platform/audit/audit.js';
import { AuditLogRetention } from './audit-log-retention.js';
import { suite } from '../../../../test/setup/suite.js';

const TABLES = { audit_logs: 'org_id', instance_audit_logs: 'instance_id' } as const;
type Table = keyof typeof TABLES;

describe('Audit log entries', () => {
  const { test } = suite({ PROCESS_ROLE: 'api' });
  let owners: Record<Table, string>;
  beforeAll(async () => {
    const { id } = await makeOrg(test, (await makeUser(test)).token);
    owners = { audit_logs: id, instance_audit_logs: await defaultInstance(test) };
  });
  beforeEach(async () => {
    for (const table of Object.keys(TABLES)) await test.dataSource.query(`DELETE FROM ${table}`);
  });

  /** Adds entries and counts them, as the platform's statements do: the removal of each is counted too. */
  const add = (table: Table, age: string, count: number) =>
    test.dataSource.query(
      `WITH counted AS (INSERT INTO count_deltas (holder_id, kind, n) VALUES ($1, '${AUDIT_LOG_COUNT}', $3::int))
       INSERT INTO ${table} (id, creation_date, ${TABLES[table]}, actor_id, actor_type, actor_name,
         request_resource, request_action, request_query_params, request_path_params, response_status)
       SELECT to_hex(extract(epoch FROM now() - $2::text::interval)::bigint) || left(md5(n || $2), 16), now() - $2::text::interval, $1, $1, 'User', $2, 'org', 'patch', '{}', '{}', 200
       FROM generate_series(1, $3::int) n`,
      [owners[table], age, count],
    );
  const ages = async (table: Table): Promise<string[]> => {
    const rows: { actor_name: string }[] = await test.dataSource.query(
      `SELECT DISTINCT actor_name FROM ${table} ORDER BY 1`,
    );
    return rows.map(({ actor_name }) => actor_name);
  };

  it('are removed after one year, regardless of their number', async () => {
    const worker = await startApp({ PROCESS_ROLE: 'worker' });
    try {
      for (const table of Object.keys(TABLES) as Table[]) {
        await add(table, '364 days', 3);
        await add(table, '367 days', 2_500);
      }
      const retention = worker.app.get(AuditLogRetention);
      await Promise.all([retention.removeOld(), retention.removeOld()]);
      for (const table of Object.keys(TABLES) as Table[]) expect(await ages(table)).toEqual(['364 days']);
    } finally {
      await worker.close();
    }
  });

  it('are removed only by workers, on startup', async () => {
    await add('audit_logs', '367 days', 1);
    expect(() => test.app.get(AuditLogRetention)).toThrow();
    expect(await ages('audit_logs')).toEqual(['367 days']);
    const worker = await startApp({ PROCESS_ROLE: 'worker' });
    try {
      await waitUntil(async () => (await ages('audit_logs')).length === 0);
    } finally {
      await worker.close();
    }
  });
});
