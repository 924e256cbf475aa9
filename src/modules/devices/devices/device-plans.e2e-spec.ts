import { deviceToken, makeDevice, makeKey } from '../../../../test/make/device-tokens.js';
import { blocksReadBy } from '../../../../test/suites/plans.js';
import { isDecision, sentBy, statementCounter, type Sent } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { ExportedDevicesRepository } from '../device-exports/exported-devices.repository.js';
import { newId } from '../../../platform/repositories/resource.js';

/** Number of devices of the application, and of another one. */
const MANY = 10_000;
/** Devices with the tag that is asked for. */
const RACK = 10;
const TABLES = ['devices', 'device_tags', 'device_attribute_names', 'device_states'];
/** Maximum number of blocks of a statement: those of some look-ups for each device of a rack, and of itself. */
const MAX_BLOCKS = 500;
const rack = { key: 'rack', value: 'r17' };
const QUERY = (query: object) => encodeURIComponent(JSON.stringify(query));
const TAG = `tagFilter[0][key]=${rack.key}&tagFilter[0][value]=${rack.value}`;

const { test, user, application } = suite({}, { database: 'own' });
const query = (text: string, values: unknown[] = []) => test.dataSource.query(text, values);
let counted: ReturnType<typeof statementCounter>;
beforeAll(() => {
  counted = statementCounter(test);
});

/** Statements about a few devices must not read the whole application, with and without planner statistics. */
describe.each([false, true])('Statements on few of many devices, with planner statistics: %s', (analyzed) => {
  let device: { id: string };
  /** Another device that the key of the first one can access. */
  let neighbour: { id: string };
  let path: string;
  let reached: string;

  beforeEach(async () => {
    for (const table of TABLES) await query(`ALTER TABLE ${table} SET (autovacuum_enabled = ${analyzed})`);
    for (const id of [newId(), application.id])
      await query(
        `INSERT INTO devices (id, application_id, creation_date, last_updated, name, keep_duplicates, tags, attributes,
           device_class, attribute_numbers, next_attribute_number)
         SELECT left(md5($1 || n), 24), a.id, now() - n * interval '1 s', now(), 'Device ' || n, true,
           jsonb_build_array(jsonb_build_object('key', 'site', 'value', 's' || n % 20),
             jsonb_build_object('key', 'rack', 'value', 'r' || n / ${RACK})),
           '[{"name":"temp","dataType":"number"}]', 'standalone', '{"temp":1}', 2
         FROM generate_series(1, ${MANY}) n, (SELECT id FROM applications ORDER BY id = $1 DESC LIMIT 1) a`,
        [id],
      );
    await query(`INSERT INTO device_states (device_id, application_id) SELECT id, application_id FROM devices
      ON CONFLICT DO NOTHING`);
    if (analyzed) await query(`ANALYZE ${TABLES.join(', ')}`);
    const body = {
      tags: [rack, { key: 'site', value: 's1' }],
      attributes: [{ name: 'temp', dataType: 'number' }],
    };
    device = await makeDevice(test, user.token, application.id, body);
    neighbour = await makeDevice(test, user.token, application.id, body);
    const key = await makeKey(test, user.token, application.id, {
      deviceTags: [{ key: 'site', value: 's1' }],
    });
    reached = deviceToken(test, device.id, key.id);
    path = `/applications/${application.id}/devices`;
  }, 120_000);

  /** Returns the statements of a request that read too many blocks. */
  async function excessive(
    method: string,
    url: string,
    body?: unknown,
    token = user.token,
  ): Promise<string[]> {
    const { status, sent, body: answer } = await counted(method, url, token, body);
    if (status >= 300) throw new Error(`${method} ${url} returns ${status}: ${JSON.stringify(answer)}`);
    return excessiveOf(sent, `${method} ${url}`);
  }

  /** Returns those of the statements that read too many blocks. */
  async function excessiveOf(sent: readonly Sent[], title: string): Promise<string[]> {
    const found: string[] = [];
    for (const statement of sent) {
      if (isDecision(statement.text) || !/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(statement.text))
        continue;
      const blocks = await blocksOf(statement);
      if (blocks > MAX_BLOCKS) found.push(`${title}: ${blocks} blocks for ${statement.text}`);
    }
    return found;
  }

  async function blocksOf(statement: Sent): Promise<number> {
    const connection = test.dataSource.createQueryRunner();
    await connection.startTransaction();
    try {
      // What the request has stored is stored again.
      for (const table of ['device_points', 'device_commands'])
        await connection.query(`DELETE FROM ${table}`);
      return await blocksReadBy(connection, statement);
    } finally {
      await connection.rollbackTransaction();
      await connection.release();
    }
  }

  it('read few blocks', async () => {
    const one = `${path}/${device.id}`;
    const state = () => ({ data: { temp: 20 }, time: Date.now() });
    const found = [
      ...(await excessive('GET', `${path}?${TAG}`)),
      ...(await excessive('GET', `${path}?tagFilter[0][value]=${rack.value}&sortField=creationDate`)),
      ...(await excessive('GET', `${path}?${TAG}&sortField=connectionStatus`)),
      ...(await excessive('GET', `${path}?${TAG}&deviceClass=standalone`)),
      ...(await excessive('GET', `${path}?parentId=${device.id}`)),
      ...(await excessive('GET', `${path}?query=${QUERY({ tags: { rack: rack.value } })}`)),
      ...(await excessive('GET', one)),
      ...(await excessive('GET', one, undefined, reached)),
      ...(await excessive('POST', `${one}/state`, state())),
      ...(await excessive('POST', `${one}/state`, state(), reached)),
      ...(await excessive('POST', `${path}/${neighbour.id}/state`, state(), reached)),
      ...(await excessive('GET', `${path}?${TAG}`, undefined, reached)),
      ...(await excessive('GET', `${one}/state`, undefined, reached)),
      ...(await excessive('GET', `${one}/command`, undefined, reached)),
      ...(await excessive('POST', `${one}/command`, { name: 'restart' }, reached)),
      ...(await excessive('POST', `${path}/command`, { name: 'restart', deviceIds: [device.id] })),
      ...(await excessive('PATCH', one, { description: 'On the roof' })),
    ];
    expect(found).toEqual([]);
  }, 120_000);

  it('read few blocks if devices are selected by tag', async () => {
    const byTag = { deviceTags: [rack] };
    const byQuery = { deviceQuery: { tags: { rack: rack.value } } };
    const found: string[] = [];
    for (const selection of [byTag, byQuery, { ...byTag, deviceIds: [device.id] }]) {
      const { deviceQuery: query } = { deviceQuery: undefined, ...selection };
      const command = { name: 'restart', ...selection };
      const series = { ...selection, attributes: ['temp'], duration: 60_000 };
      found.push(
        ...(await excessive('POST', `${path}/command`, command)),
        ...(await excessive('POST', `${path}/command`, command, reached)),
        ...(await excessive('POST', `${path}/../data/time-series-query`, series)),
        ...(await excessive('POST', `${path}/../data/last-value-query`, { ...selection, attribute: 'temp' })),
      );
      if (query)
        found.push(
          ...(await excessive('PATCH', path, { query, updateFields: { description: 'In the rack' } })),
          ...(await excessive('POST', `${path}/delete`, { query })),
          ...(await excessive('POST', `${path}/restore`, { query })),
        );
    }
    const exported = test.app.get(ExportedDevicesRepository);
    const devices = { applicationId: application.id, selection: { deviceTags: [rack] } };
    const reachable = { ...devices, reach: { deviceIds: [], deviceTags: [{ key: 'site', value: 's1' }] } };
    for (const each of [
      devices,
      reachable,
      { ...devices, except: { deviceTags: [{ key: 'site', value: 's1' }] } },
    ])
      for (const work of [
        () => exported.count(each),
        () => exported.page(each, ''),
        () => exported.page(each, device.id),
        () => exported.listPage(each, ''),
      ])
        found.push(...(await excessiveOf(await sentBy(work), JSON.stringify(each))));
    expect(found).toEqual([]);
  }, 120_000);
});
