import { FREE_LANE, makeWaitingRuns, removeWaitingRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { forgetStatistics } from '../../../../test/suites/plans.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { PAGE, RunInboxRepository } from './run-inbox.repository.js';

const APPLICATIONS = ['a', 'b'].map((digit) => digit.repeat(24));
const RUNS = PAGE - 100;

describe('The inbox of runs', () => {
  const { test } = suite();
  const database = () => test.app.get(Database);
  const inbox = () => new RunInboxRepository(database());
  const added = new Map<string, { seq: string }[]>();

  beforeEach(async () => {
    for (const applicationId of APPLICATIONS)
      added.set(applicationId, await makeWaitingRuns(test, { applicationId, flowId: applicationId }, RUNS));
    const runner = test.dataSource.createQueryRunner();
    await forgetStatistics(runner, 'run_inbox').finally(() => runner.release());
  });

  afterEach(() => removeWaitingRuns(test));

  it('reads all runs of a lane by application, in pages and in their order', async () => {
    const began = Date.now();
    const seqs = new Map<string, number[]>(APPLICATIONS.map((id) => [id, []]));
    const pages: number[] = [];
    for (let after = 0; pages.at(-1) !== 0;) {
      const found = await inbox().read([{ lane: FREE_LANE, after }]);
      pages.push(found.reduce((sum, of) => sum + of.seqs.length, 0));
      for (const { lane, applicationId, seqs: ofPage, requestedAt } of found) {
        expect(lane).toBe(FREE_LANE);
        expect(requestedAt).toHaveLength(ofPage.length);
        for (const time of requestedAt) expect(Math.abs(time - began)).toBeLessThan(60_000);
        seqs.get(applicationId)!.push(...ofPage);
        after = Math.max(after, ofPage.at(-1)!);
      }
    }
    expect(pages).toEqual([PAGE, 2 * RUNS - PAGE, 0]);
    for (const id of APPLICATIONS) expect(seqs.get(id)).toEqual(added.get(id)!.map(({ seq }) => Number(seq)));
  });

  it('stops at the end of a page, also without statistics', async () => {
    const asked: Statement[] = [];
    const recording = {
      rowsOfMany: (statement: Statement) => (asked.push(statement), Promise.resolve([])),
    };
    await new RunInboxRepository(recording as unknown as Database).read([{ lane: FREE_LANE, after: 0 }]);
    const [{ text, values }] = asked as [Statement];
    const plan = await database().rowsOfMany<{ queryPlan: string }>({ text: `EXPLAIN ${text}`, values });
    const lines = plan.map((row) => Object.values(row)[0]!.trim());
    const limit = lines.findIndex((line) => line.includes('Limit'));
    expect(lines[limit + 1]).toMatch(/Index Scan using run_inbox_pkey/);
    expect(lines[limit + 2]).toMatch(/Index Cond: \(\(lane = l\.lane\) AND \(seq > l\.after\)\)/);
  });
});
