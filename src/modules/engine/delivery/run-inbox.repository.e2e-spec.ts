import { suite } from '../../../../test/setup/suite.js';
import { forgetStatistics } from '../../../../test/suites/plans.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { RunInboxRepository } from './run-inbox.repository.js';

const RUNS = 2_000;
/** Belongs to nobody. */
const LANE = 64;

describe('The inbox of runs', () => {
  const { test } = suite();
  const database = () => test.app.get(Database);
  const inbox = () => new RunInboxRepository(database());

  beforeEach(async () => {
    await test.dataSource.query(
      `INSERT INTO run_inbox (lane, id, application_id, flow_id, payload_id, requested_at)
       SELECT ${LANE}, id, id, id, id, now() FROM generate_series(1, ${RUNS}) n, lpad(n::text, 24, '0') id`,
    );
    const runner = test.dataSource.createQueryRunner();
    await forgetStatistics(runner, 'run_inbox').finally(() => runner.release());
  });

  afterEach(() => test.dataSource.query(`DELETE FROM run_inbox WHERE lane = ${LANE}`));

  it('reads all runs of a lane, in their order', async () => {
    const [keys] = await inbox().keys([{ lane: LANE, after: 0 }]);
    expect(keys).toMatchObject({ lane: LANE, seqs: { length: RUNS } });
    const seqs: number[] = [];
    for (let page = await inbox().read([{ lane: LANE, after: 0 }]); page.length > 0;) {
      seqs.push(...page.map(({ seq }) => seq));
      page = await inbox().read([{ lane: LANE, after: seqs.at(-1)! }]);
    }
    expect(seqs).toEqual(keys!.seqs);
    expect((await inbox().load(LANE, seqs.slice(-2))).map(({ seq }) => seq)).toEqual(seqs.slice(-2));
  });

  it.each(['read', 'keys'] as const)(
    'stops at the end of a page, also without statistics: %s',
    async (name) => {
      const asked: Statement[] = [];
      const recording = {
        rowsOfMany: (statement: Statement) => (asked.push(statement), Promise.resolve([])),
      };
      await new RunInboxRepository(recording as unknown as Database)[name]([{ lane: LANE, after: 0 }]);
      const [{ text, values }] = asked as [Statement];
      const plan = await database().rowsOfMany({ text: `EXPLAIN ${text}`, values });
      expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan using run_inbox_pkey/);
      expect(JSON.stringify(plan)).not.toMatch(/Sort|Bitmap/);
    },
  );
});
