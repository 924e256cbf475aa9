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
    const trigger = { type: 'event', sourceId: event.id, data: event };
    expect(own).toEqual([{ deviceId: device.id, trigger: { ...trigger, key: 'warning' } }]);
    expect(any).toEqual([{ deviceId: device.id, trigger: { ...trigger, key: 'any' } }]);
    expect(other).toEqual([]);
  });

  it('run on each state change and receive the changes', async () => {
    const flow = await listens('any');
    const { id } = await create();
    await patch(id, { comment: 'Nothing yet', level: 'error' });
    const { body } = await patch(id, { state: 'acknowledged', comment: 'On my way' });
    await patch(id, { state: 'acknowledged' });
    expect(await statesOf(flow)).toEqual(['warning new', 'error acknowledged']);
    const [, last] = await runsOf(flow);
    expect(last!.trigger.data.update).toEqual(body.updates[1]);
    expect(last!.trigger.data).not.toHaveProperty('updates');
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

  it('run only for the subject that they select', async () => {
    const flows = [
      await listens('any', { subject: 'Pressure' }),
      await listens('any', { subject: 'Other' }),
      await listens('any', { subject: '' }),
    ];
    await create();
    const counts = await Promise.all(flows.map(async (flow) => (await runsOf(flow)).length));
    expect(counts).toEqual([1, 0, 1]);
  });

  it('count as one payload, even if no workflow is triggered', async () => {
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
    expect(rows).toEqual([{ channel: 'user.rest', n: 2 }]);
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
