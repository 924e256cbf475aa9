import { makeDevice } from '../../../../test/make/device-tokens.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
const send = (method: string, path: string, body?: object) =>
  test.client.request(method, `/applications/${application.id}/events${path}`, { body, token: user.token });
const create = async (body: object = {}) =>
  (await send('POST', '', { level: 'warning', subject: 'Pressure', ...body })).body;
const patch = (id: string, body: object) => send('PATCH', `/${id}`, body);

const listens = (key: string, config: object = {}) =>
  makeFlow(test, user.token, application.id, {
    triggers: [{ type: 'event', key, config, outputIds: [] }],
  });

/** Returns the triggers of a workflow's runs. */
const runsOf = async ({ id }: { id: string }) =>
  (await requestedRuns(test, { flowId: id })).map(({ trigger, deviceId }) => ({ trigger, deviceId }));

const statesOf = async (flow: { id: string }) =>
  (await runsOf(flow)).map(({ trigger }) => `${trigger.data.level} ${trigger.data.state}`);

describe('Workflows triggered by an event', () => {
  it('run for its level or any level, and receive the event', async () => {
    const flows = [await listens('warning'), await listens('any'), await listens('critical')];
    const device = await makeDevice(test, user.token, application.id);
    const { updates: _updates, ...event } = await create({ deviceId: device.id, data: { a: 1 } });
    const [own, any, other] = await Promise.all(flows.map(runsOf));
    const source = { sourceType: 'user', sourceId: user.id };
    const trigger = { type: 'event', ...source, data: { ...event, allUpdates: [] } };
    expect(own).toEqual([{ deviceId: device.id, trigger: { ...trigger, key: 'warning' } }]);
    expect(any).toEqual([{ deviceId: device.id, trigger: { ...trigger, key: 'any' } }]);
    expect(other).toEqual([]);
  });

  it('run on each update and receive it with those before', async () => {
    const flow = await listens('any');
    const { id } = await create();
    await patch(id, { comment: 'Nothing yet', level: 'error' });
    const { body } = await patch(id, { state: 'acknowledged', comment: 'On my way' });
    expect(await statesOf(flow)).toEqual(['warning new', 'error new', 'error acknowledged']);
    const [, , last] = await runsOf(flow);
    expect(last!.trigger.data).toMatchObject({ latestUpdate: body.updates[1], allUpdates: body.updates });
    expect(body.updates[1]).toMatchObject({ stateChange: { old: 'new', new: 'acknowledged' } });
    expect(last!.trigger.data).not.toHaveProperty('updates');
  });

  it('receive the last updates of events that are changed together', async () => {
    const flow = await listens('any');
    const { id } = await create();
    await patch(id, { comment: 'First' });
    for (let i = 0; i < 10; i++) await send('PATCH', '?state=new', { comment: `Bulk ${i}` });
    const { trigger } = (await runsOf(flow)).at(-1)!;
    expect(trigger.data.latestUpdate).toMatchObject({ comment: 'Bulk 9' });
    expect(trigger.data.allUpdates.map(({ comment }: { comment: string }) => comment)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Bulk ${i}`),
    );
  });

  it('receive no more updates than 256 KiB, and always the latest', async () => {
    const flow = await listens('any', { resolved: true });
    const { id } = await create();
    for (let i = 0; i < 5; i++) await patch(id, { data: `${i}`.repeat(60_000) });
    await patch(id, { state: 'resolved' });
    const [{ trigger }] = (await runsOf(flow)) as unknown as [{ trigger: any }];
    expect(trigger.data.allUpdates).toHaveLength(5);
    expect(trigger.data.allUpdates[0].data).toBe('1'.repeat(60_000));
    expect(trigger.data.latestUpdate.state).toBe('resolved');
  });

  it('run only for the states that they select', async () => {
    const flows = [
      await listens('any', { new: true, acknowledged: false, resolved: false }),
      await listens('any', { resolved: true, acknowledged: true }),
      await listens('any', { new: false }),
    ];
    const { id } = await create();
    for (const state of ['acknowledged', 'resolved', 'new']) await patch(id, { state });
    expect(await Promise.all(flows.map(statesOf))).toEqual([
      ['warning new', 'warning new'],
      ['warning acknowledged', 'warning resolved'],
      [],
    ]);
  });

  it.each([
    ['Pressure', true],
    ['', true],
    ['*', true],
    ['pressURE*', true],
    ['*SS?re', true],
    ['Press', false],
    ['Other', false],
    ['Pressure_', false],
    ['%', false],
    ['P\\*', false],
  ])('run only for the subjects that they select: %s', async (subject, runs) => {
    const flow = await listens('any', { subject });
    await create();
    expect(await runsOf(flow)).toHaveLength(runs ? 1 : 0);
  });

  it.each(['50%', 'a\\b', 'a_b'])('find the characters of %s only', async (subject) => {
    const flow = await listens('any', { subject });
    await create({ subject });
    await create({ subject: subject.replace(/[%\\_]/, 'x') });
    expect(await runsOf(flow)).toHaveLength(1);
  });

  it('count each change as a payload, even if no workflow is triggered', async () => {
    const { id } = await create();
    await patch(id, { state: 'resolved' });
    await patch(id, { comment: 'Done' });
    const rows = await test.dataSource.query(
      `SELECT channel, sum(n)::int AS n FROM (
         SELECT channel, n FROM payload_deltas WHERE application_id = $1 AND type = 'event'
         UNION ALL SELECT channel, n FROM application_payload_sums
         WHERE application_id = $1 AND type = 'event' AND device_id = '' AND hours = 1) p GROUP BY 1`,
      [application.id],
    );
    expect(rows).toEqual([{ channel: 'user.rest', n: 3 }]);
  });

  it('prevent the creation of the event when they cannot be enqueued', async () => {
    await test.dataSource.query('ALTER TABLE payload_deltas ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      const { status } = await send('POST', '', { level: 'info', subject: 'a' });
      expect(status).toBe(500);
    } finally {
      await test.dataSource.query('ALTER TABLE payload_deltas DROP CONSTRAINT refused');
    }
    expect((await send('GET', '')).body.items).toEqual([]);
  });
});
