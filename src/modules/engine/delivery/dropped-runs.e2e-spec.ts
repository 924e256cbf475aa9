import { jest } from '@jest/globals';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { ListenedWebhook } from '../../../../test/make/webhooks.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import type { Cause } from '../../../workflows/runs/cause.js';
import { droppedColumnsOf } from '../../../workflows/runs/cause-declaration.js';
import * as causes from '../../../workflows/runs/causes.js';
import { DroppedRuns } from '../../../workflows/runs/dropped-runs.js';
import { RunBacklog } from '../../../workflows/runs/run-backlog.js';

const { test, user, application } = suite();
const CAUSES = Object.entries(causes).flatMap(([name, value]): [string, Cause][] =>
  typeof value === 'object' ? [[name, value]] : [],
);

const send = async (path: string, body: unknown) => {
  const whole = `/applications/${application.id}/${path}`;
  expect((await test.client.post(whole, body, { token: user.token })).status).toBe(200);
};
const droppedOf = async (of: string): Promise<number> => {
  const path = `/applications/${application.id}/flows/${of}/runs/dropped?resolution=86400000`;
  return (await test.client.get(path, { token: user.token })).body.metrics[0].runsDropped;
};
const flowWith = (triggers: object[]) => makeFlow(test, user.token, application.id, { triggers });

describe('Dropped runs', () => {
  beforeEach(() => {
    const { admits } = test.app.get(RunBacklog);
    const spy = jest.spyOn(test.app.get(RunBacklog), 'admits');
    spy.mockImplementation(
      (id, count) => id !== application.id && admits.call(test.app.get(RunBacklog), id, count),
    );
  });

  it.each(CAUSES)('of %s can be counted', async (_, cause) => {
    const { triggers, items } = droppedColumnsOf(cause);
    const lists = [...Object.keys(triggers), ...Object.keys(items)].map(() => []);
    await test.dataSource.query(cause.droppedText, [new Date(), ...lists]);
  });

  it('are counted for the workflows whose triggers match', async () => {
    const device = await makeDevice(test, user.token, application.id, {
      name: 'Pump',
      attributes: ['temp', 'level'].map((name) => ({ name, dataType: 'number' })),
    });
    const of = (config: object) => flowWith([{ type: 'deviceId', key: device.id, config, outputIds: [] }]);
    const [all, level, once, button] = await Promise.all([
      of({}),
      of({ attributeWhitelist: ['level'] }),
      of({ batchBehavior: 'once' }),
      flowWith([{ type: 'virtualButton', key: 'go', outputIds: [] }]),
    ]);
    const hot = { data: { temp: 1 } };
    await send(`devices/${device.id}/state`, hot);
    await send(`devices/${device.id}/state`, { data: { temp: 2, level: 3 } });
    await send(`devices/${device.id}/state`, [hot, { ...hot, time: Date.now() - 1 }]);
    const hook = await ListenedWebhook.make(test, {}, { user, application });
    for (let n = 0; n < 2; n++) expect((await hook.send()).status).toBe(429);
    for (let n = 0; n < 3; n++) await send(`flows/${button.id}/virtualButton`, { key: 'go', payload: {} });
    await test.app.get(DroppedRuns).store();
    await waitUntil(async () => (await droppedOf(button.id)) === 3);
    expect(await Promise.all([all, level, once].map(({ id }) => droppedOf(id)))).toEqual([4, 1, 3]);
    const counts = `/applications/${application.id}/payloadCounts`;
    expect(await droppedOf(hook.flow.id)).toBe(2);
    const { virtualButton, webhook } = (await test.client.get(counts, { token: user.token })).body;
    expect(virtualButton).toEqual({ 'user.rest': 3 });
    expect(webhook).toBeUndefined();
    expect(
      await test.dataSource.query('SELECT FROM run_inbox WHERE application_id = $1', [application.id]),
    ).toEqual([]);
  });
});
