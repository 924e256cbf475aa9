import { blocksReadBy, faultsOf } from '../../test/suites/plans.js';
import { suite } from '../../test/setup/suite.js';
import { newId } from '../platform/repositories/resource.js';
import { CHANGED } from './agents/agent-sessions.js';
import { CLOSE, OPEN } from './sessions/device-sessions.repository.js';

/** Peripherals of the application. One has changed per second. */
const MANY = 40_000;
/** Those of some dozens of devices, each of which can be in a block of its own. */
const MAX_BLOCKS = 200;

const { test, application } = suite({}, { database: 'own' });

describe.each([false, true])('Changed devices, with planner statistics: %s', (analyzed) => {
  it('are found without reading the others', async () => {
    await test.dataSource.query(`ALTER TABLE devices SET (autovacuum_enabled = ${analyzed})`);
    await test.dataSource.query(
      `INSERT INTO devices (id, application_id, creation_date, last_updated, name, keep_duplicates, tags, attributes,
         device_class, attribute_numbers, next_attribute_number)
       SELECT left(md5($2 || n), 24), $1, now(), now() - n * interval '1 s', 'Device ' || n, true, '[]', '[]',
         'peripheral', '{}', 1
       FROM generate_series(1, ${MANY}) n ORDER BY md5(n::text)`,
      [application.id, newId()],
    );
    if (analyzed) await test.dataSource.query('ANALYZE devices');
    const read = await blocksReadBy(test.dataSource, { text: CHANGED, values: [[application.id]] });
    expect(read).toBeLessThan(MAX_BLOCKS);
  }, 120_000);
});

describe('Sessions', () => {
  const text = ['a'];
  it.each<[string, string, unknown[]]>([
    ['opened', OPEN, ['p', text, text, text, text, [false], [null], [false], text, text]],
    ['closed', CLOSE, [text, text, text, [0], [0], text]],
  ])(
    'are %s without reading the others, also if the planner takes the table for empty',
    async (_, sql, values) => {
      await test.dataSource.query('VACUUM ANALYZE device_sessions');
      const large = new Set(['device_sessions']);
      expect(await faultsOf(test.dataSource, sql, values, { large, sorted: true })).toEqual([]);
    },
  );
});
