import { holdEvent } from '../../../../test/contract/pushed.js';
import { EventReader, type ReadEvent } from '../../../../test/doubles/event-reader.js';
import { deviceToken, makeDevice, makeKey } from '../../../../test/make/device-tokens.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { flowDebugChannel } from '../../../workflows/debug/debug-channels.js';
import { WatchedChannels } from '../../../workflows/debug/watched-channels.js';

const setup = suite({ PROCESS_ROLE: 'all' }, { database: 'own' });
const { test, other, user, application } = setup;
const open: EventReader[] = [];
const DEBUG = {
  id: 'log',
  type: 'DebugNode',
  config: { message: 'got {{data.n}}', property: 'data', level: 'warn' },
  outputIds: [['throw']],
};
const THROW = {
  id: 'throw',
  type: 'ThrowErrorNode',
  config: { messageTemplate: 'no luck' },
  outputIds: [],
};
const BUTTON = { type: 'virtualButton', key: 'go', outputIds: [['log']] };
let flow: any;

beforeEach(async () => {
  flow = await made();
});

afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});

const made = (body: object = { triggers: [BUTTON], nodes: [DEBUG, THROW] }) =>
  makeFlow(test, user.token, application.id, body);
const pathOf = ({ id, applicationId } = flow) => `/applications/${applicationId}/flows/${id}`;

async function press(payload: unknown = { n: 1 }, of = flow): Promise<void> {
  const answer = await test.client.post(
    `${pathOf(of)}/virtualButton`,
    { key: 'go', payload },
    { token: user.token },
  );
  expect(answer.status).toBe(200);
}

async function listen(path: string, { at = test, by = user.token } = {}): Promise<EventReader> {
  const reader = await EventReader.open(`${at.client.url}${path}`, by);
  open.push(reader);
  return reader;
}

/** Waits until the engines of both processes know that a workflow is watched, because runs can start in either. */
async function isKnown({ id } = flow): Promise<void> {
  const known = [test, other].map(({ app }) => app.get(WatchedChannels, { strict: false }));
  await waitUntil(async () => known.every((channels) => channels.has(flowDebugChannel(id))));
}

const message = (more: object) =>
  expect.objectContaining({
    event: 'debugMessage',
    data: expect.objectContaining(more) as unknown,
  }) as ReadEvent;

describe('GET debugStream of a workflow', () => {
  it('sends messages and errors of its runs to clients of every process', async () => {
    const readers = await Promise.all([test, other].map((at) => listen(`${pathOf()}/debugStream`, { at })));
    await isKnown();
    await press(undefined, await made());
    await press({ n: 7 });
    for (const reader of readers) {
      expect(reader.status).toBe(200);
      const place = { flowId: flow.id, flowVersion: 'develop', flowRunId: expect.any(String) as string };
      expect(await reader.reads(2)).toEqual([
        message({
          ...place,
          level: 'warn',
          message: 'got 7',
          payload: { n: 7 },
          sourceNode: 'log',
          prevNodes: [],
          triggerUiIds: [expect.any(String)],
        }),
        message({
          ...place,
          level: 'error',
          message: 'no luck',
          error: { name: 'ThrowErrorNodeError', message: 'no luck' },
          sourceNode: 'throw',
          prevNodes: ['log'],
          payload: expect.objectContaining({ data: { n: 7 }, flowName: flow.name }),
        }),
      ]);
      for (const event of reader.events) holdEvent('flow.debugStream', event);
    }
  });

  it('leaves out payloads that are too large', async () => {
    const reader = await listen(`${pathOf()}/debugStream`);
    await isKnown();
    await press({ n: 1, text: 'x'.repeat(300_000) });
    const [first] = await reader.reads(1);
    expect(first).toEqual(message({ message: 'got 1', isPayloadOmitted: true }));
    expect(first!.data).not.toHaveProperty('payload');
    holdEvent('flow.debugStream', first!);
  });

  it('limits the messages of a second and reports how many were skipped', async () => {
    const loud = await made({
      triggers: [{ ...BUTTON, outputIds: [['loop']] }],
      nodes: [
        {
          id: 'loop',
          type: 'LoopNode',
          config: { loopSourcePath: 'data.rounds', currentItemPath: 'i' },
          outputIds: [[], ['log']],
        },
        { ...DEBUG, meta: { groupId: 'loop' }, outputIds: [] },
      ],
    });
    const reader = await listen(`${pathOf(loud)}/debugStream`);
    await isKnown(loud);
    // Small payloads, so that a reader on a busy machine is not disconnected.
    await press({ rounds: 1_000 }, loud);
    const isSkipped = ({ event }: ReadEvent) => event === 'debugSkipped';
    const told = () => reader.events.filter((event) => !isSkipped(event)).length;
    const skipped = () => reader.events.filter(isSkipped).reduce((sum, { data }) => sum + data.count, 0);
    await waitUntil(async () => told() + skipped() === 1_000);
    expect(skipped()).toBeGreaterThan(0);
    holdEvent('flow.debugStream', reader.events.find(isSkipped)!);
  });

  it('ends when the workflow is deleted or the caller loses access', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const theirs = await makeFlow(test, user.token, id);
    const member = await makeMember(test, org.id, 'collaborate');
    const reader = await listen(`${pathOf(theirs)}/debugStream`, { at: other, by: member.token });
    expect(reader.status).toBe(200);
    await test.client.delete(`/orgs/${org.id}/member?userId=${member.id}`, { token: user.token });
    await reader.ends();
  });

  it('requires `collaborate`, because payloads can contain secrets', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const theirs = await makeFlow(test, user.token, id);
    for (const [role, status] of [
      ['none', 404],
      ['view', 403],
      ['collaborate', 200],
    ] as const) {
      const { token } = await makeMember(test, org.id, role);
      expect((await listen(`${pathOf(theirs)}/debugStream`, { by: token })).status).toBe(status);
      expect((await listen(`/applications/${id}/debugStream`, { by: token })).status).toBe(status);
    }
  });

  it.each([
    ['flow.debug', 200],
    ['flow.*', 200],
    ['all.Application.bounded', 200],
    ['all.Application.read', 403],
    ['flow.get', 403],
  ])('returns, with the scope %s: %i', async (scope, status) => {
    const by = tokenOf(test, user.id, [scope]);
    expect((await listen(`${pathOf()}/debugStream`, { by })).status).toBe(status);
  });

  it('returns 400, 401 and 404', async () => {
    const get = (path: string, token?: string) => test.client.get(path, { token });
    expect((await get(`${pathOf()}/debugStream?keepAliveInterval=0`, user.token)).status).toBe(400);
    expect((await get(`${pathOf()}/debugStream`)).status).toBe(401);
    const elsewhere = await makeApplication(test, user.token);
    for (const path of [pathOf({ ...flow, id: newId() }), pathOf({ ...flow, applicationId: elsewhere.id })])
      expect((await get(`${path}/debugStream`, user.token)).body.message).toBe('Flow was not found');
    const watched = test.app.get(WatchedChannels, { strict: false });
    expect(watched.has(flowDebugChannel(flow.id))).toBe(false);
  });
});

describe('GET debugStream of an application', () => {
  it('sends the messages of all of its workflows and of no other application', async () => {
    const reader = await listen(`/applications/${application.id}/debugStream`, {
      by: tokenOf(test, user.id, ['application.debug']),
    });
    const elsewhere = await makeApplication(test, user.token);
    const theirs = await makeFlow(test, user.token, elsewhere.id, {
      triggers: [BUTTON],
      nodes: [DEBUG, THROW],
    });
    const second = await made();
    await listen(`${pathOf(flow)}/debugStream`, { at: other });
    await isKnown();
    await press({}, theirs);
    // Each process announces its channels in the order in which its streams were opened.
    await waitUntil(async () => {
      await press({}, flow);
      await press({}, second);
      return new Set(reader.events.map(({ data }) => data.flowId)).size === 2;
    });
    expect(reader.events.map(({ data }) => data.flowId)).not.toContain(theirs.id);
    holdEvent('application.debugStream', reader.events[0]!);
  });
});

describe('GET debugStream of a device', () => {
  it('sends the messages of runs that the device has started, to the device itself without payloads', async () => {
    const attributes = [{ name: 'temp', dataType: 'number' }];
    const device: any = await makeDevice(test, user.token, application.id, { attributes });
    const silent: any = await makeDevice(test, user.token, application.id, { attributes });
    const key = await makeKey(test, user.token, application.id, { deviceIds: [device.id] });
    await made({
      triggers: [device, silent].map(({ id }) => ({ type: 'deviceId', key: id, outputIds: [['log']] })),
      nodes: [{ ...DEBUG, config: { message: 'reported', property: 'data' }, outputIds: [] }],
    });
    const streamOf = (id: string) => `/applications/${application.id}/devices/${id}/debugStream`;
    const reader = await listen(streamOf(device.id), { by: tokenOf(test, user.id, ['device.debug']) });
    const by = deviceToken(test, device.id, key.id, ['device.debug']);
    const own = await listen(streamOf(device.id), { by });
    expect((await listen(streamOf(silent.id), { by })).status).toBe(404);
    const withoutScope = deviceToken(test, device.id, key.id, ['all.Device']);
    expect((await listen(streamOf(device.id), { by: withoutScope })).status).toBe(403);
    await waitUntil(async () => {
      for (const { id } of [silent, device])
        await test.client.post(
          `/applications/${application.id}/devices/${id}/state`,
          { data: { temp: 7 } },
          { token: user.token },
        );
      return reader.events.length > 0 && own.events.length > 0;
    });
    for (const events of [reader.events, own.events])
      expect(new Set(events.map(({ data }) => data.deviceId))).toEqual(new Set([device.id]));
    expect(reader.events[0]!.data).toHaveProperty('payload');
    expect(own.events[0]).toEqual(message({ message: 'reported' }));
    expect(own.events[0]!.data).not.toHaveProperty('payload');
    holdEvent('device.debugStream', own.events[0]!);
  });
});
