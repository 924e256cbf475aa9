import { request } from 'node:http';
import { holdEvent } from '../../../../test/contract/pushed.js';
import { EventReader } from '../../../../test/doubles/event-reader.js';
import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { MAX_BUFFERED_BYTES } from '../../../platform/streams/open-stream.js';
import { OpenStreams } from '../../../platform/streams/open-streams.js';
import { TokenSigner } from '../../../platform/access/token-signer.js';
import { GracefulShutdown } from '../../../platform/server/graceful-shutdown.js';
import { DeviceEvents, type StateEvent } from './device-events.js';

const SCOPES = ['all.User'];
const setup = suite({ STREAMS_PER_TOKEN: '4', STREAMS_PER_OWNER: '6' }, { retries: false });
const { test, other, user, application } = setup;
const open: EventReader[] = [];
let device: { id: string };
let token: string;
let own: string;

beforeEach(async () => {
  token = tokenOf(test, user.id, SCOPES);
  device = await makeDevice();
  own = `/applications/${application.id}/devices/${device.id}`;
});

afterEach(async () => {
  for (const reader of open.splice(0)) reader.close();
  await waitUntil(async () => streamsOf(test) + streamsOf(other) === 0);
});

const streamsOf = ({ app }: typeof test) => app.get(OpenStreams, { strict: false }).size;
const events = () => test.app.get(DeviceEvents, { strict: false });
const report = (states: readonly StateEvent[]) =>
  events().state({ id: device.id, applicationId: application.id }, { states, isBatch: states.length > 1 });

const makeDevice = ({ id } = application, by = user.token): Promise<any> => makeAnyDevice(test, by, id);

async function listen(
  stream: 'commandStream' | 'stateStream',
  {
    at = test,
    by = token,
    query = '',
    after,
  }: { at?: typeof test; by?: string; query?: string; after?: string } = {},
): Promise<EventReader> {
  const reader = await EventReader.open(`${at.client.url}${own}/${stream}${query}`, by, { after });
  open.push(reader);
  return reader;
}

describe('Stream of a device', () => {
  it('sends the reports and commands of the device to clients of every process', async () => {
    const states = await Promise.all([test, other].map((at) => listen('stateStream', { at })));
    const commands = await listen('commandStream', { at: other });
    expect(commands.status).toBe(200);
    expect(commands.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    expect(commands.response.headers).not.toHaveProperty('content-encoding');
    const time = new Date('2026-06-13T04:00:00.000Z');
    report([
      { time, data: { temp: 21.5, text: 'a\nb: c\n\n' }, meta: { gate: 1 } },
      { time, data: { temp: 22 } },
    ]);
    events().command(application.id, [newId(), device.id], { name: 'open', time, payload: { by: 3 } });
    for (const reader of states)
      expect(await reader.reads(2)).toEqual([
        {
          id: expect.stringMatching(/^\d+-\d+$/),
          event: 'deviceState',
          data: { time: time.toISOString(), data: { temp: 21.5, text: 'a\nb: c\n\n' }, meta: { gate: 1 } },
        },
        expect.objectContaining({ data: { time: time.toISOString(), data: { temp: 22 } } }),
      ]);
    states[0]!.events.forEach((event) => holdEvent('device.stateStream', event));
    expect(await commands.reads(1)).toMatchObject([
      { event: 'deviceCommand', data: { name: 'open', time: time.toISOString(), payload: { by: 3 } } },
    ]);
    holdEvent('device.commandStream', commands.events[0]!);
  });

  it('resumes after the last event, also in another process', async () => {
    const command = (name: string) =>
      events().command(application.id, [device.id], { name, time: new Date() });
    const first = await listen('commandStream');
    for (const name of ['a', 'b', 'c']) command(name);
    const [a] = await first.reads(3);
    first.close();
    await first.ends();
    command('d');
    const second = await listen('commandStream', { at: other, after: a!.id });
    const names = (await second.reads(3)).map(({ data }) => data.name);
    expect(names).toEqual(['b', 'c', 'd']);
    command('e');
    expect((await second.reads(4)).at(-1)!.data.name).toBe('e');
    const third = await listen('commandStream', { after: 'the last, please' });
    expect(third.status).toBe(200);
    command('f');
    expect((await third.reads(1))[0]!.data.name).toBe('f');
  });

  it('sends keep-alive comments', async () => {
    const opened = () => listen('stateStream', { query: '?keepAliveInterval=1' });
    let reader = await opened();
    await waitUntil(async () => {
      // Streams end when a busy machine delays the messages between processes.
      if (reader.isOver) reader = await opened();
      return reader.comments >= 2;
    });
  });

  it.each(['0', '61', 'x', '1.5', '-1'])('rejects the keepAliveInterval %s', async (interval) => {
    const { status, body } = await test.client.get(`${own}/stateStream?keepAliveInterval=${interval}`, {
      token,
    });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^keepAliveInterval must be/);
  });

  it('returns 404 if the device does not exist', async () => {
    const elsewhere = await makeApplication(test, user.token);
    const paths = [
      `/applications/${application.id}/devices/${newId()}`,
      `/applications/${elsewhere.id}/devices/${device.id}`,
    ];
    for (const path of paths)
      expect((await test.client.get(`${path}/commandStream`, { token })).body).toEqual({
        type: 'NotFound',
        message: 'Device was not found',
      });
    await test.client.delete(own, { token: user.token });
    expect((await test.client.get(`${own}/stateStream`, { token })).status).toBe(404);
  });

  it.each([
    [undefined, 401],
    ['all.User', 200],
    ['all.User.read', 200],
    ['all.Application.bounded', 200],
    ['all.Organization.read', 200],
    ['all.Device', 200],
    ['all.Instance', 403],
    ['device.*', 200],
    ['device.get', 403],
    ['device.stateStream', 403],
    ['device.commandStream', 200],
  ])('of commands returns, with the scope %s: %i', async (scope, status) => {
    const by = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.get(`${own}/commandStream`, { token: by })).status).toBe(status);
  });

  it('requires the role view', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const { id: deviceId } = await makeDevice({ id });
    const statuses = await Promise.all(
      (['none', 'view'] as const).map(async (role) => {
        const member = await makeMember(test, org.id, role);
        const by = tokenOf(test, member.id, SCOPES);
        const path = `/applications/${id}/devices/${deviceId}/commandStream`;
        return (await test.client.get(path, { token: by })).status;
      }),
    );
    expect(statuses).toEqual([404, 200]);
  });

  it('answers HEAD requests without staying open', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const call = request(`${test.client.url}${own}/stateStream`, { method: 'HEAD', headers });
      call.on('response', (response) => resolve(response.statusCode));
      call.on('error', reject);
      call.end();
    });
    expect(status).toBe(200);
  });
});

describe('End of a stream', () => {
  it('occurs when its token is revoked in any process', async () => {
    const tokens = `/applications/${application.id}/tokens`;
    const body = { name: 'Reader', scope: ['device.stateStream'] };
    const { body: made } = await test.client.post(tokens, body, { token: user.token });
    const [here, there] = await Promise.all([
      listen('stateStream', { by: made.token }),
      listen('stateStream', { at: other, by: made.token }),
    ]);
    const untouched = await listen('stateStream');
    const patched = await test.client.patch(
      `${tokens}/${made.id}`,
      { status: 'inactive' },
      { token: user.token },
    );
    expect(patched.status).toBe(200);
    await Promise.all([here.ends(), there.ends()]);
    expect(untouched.isOver).toBe(false);
  });

  it('occurs when its token expires', async () => {
    const by = tokenOf(test, user.id, SCOPES, 2);
    const reader = await listen('stateStream', { by, query: '?keepAliveInterval=1' });
    expect(reader.status).toBe(200);
    await reader.ends();
  });

  it('occurs when the user loses access to the application', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const { id: deviceId } = await makeDevice({ id });
    own = `/applications/${id}/devices/${deviceId}`;
    const member = await makeMember(test, org.id, 'view');
    const reader = await listen('stateStream', { at: other, by: tokenOf(test, member.id, SCOPES) });
    expect(reader.status).toBe(200);
    await test.client.delete(`/orgs/${org.id}/member?userId=${member.id}`, { token: user.token });
    await reader.ends();
  });

  it('occurs when its client is too slow, without growing memory usage', async () => {
    const slow = await listen('stateStream');
    const quick = await listen('stateStream');
    slow.stall();
    const data = { text: 'x'.repeat(64 * 1024) };
    const most = (20 * MAX_BUFFERED_BYTES) / data.text.length;
    let sent = 0;
    while (streamsOf(test) > 1 && sent < most) {
      report([{ time: new Date(), data }]);
      await quick.reads(++sent);
    }
    expect(streamsOf(test)).toBe(1);
    expect(quick.isOver).toBe(false);
  });
});

describe('Streams that are not read', () => {
  it('close within seconds of their end', async () => {
    const slow = await listen('stateStream', {
      by: tokenOf(test, user.id, SCOPES, 3),
      query: '?keepAliveInterval=1',
    });
    slow.stall();
    const streams = test.app.get(OpenStreams, { strict: false });
    const data = { text: 'x'.repeat(512 * 1024) };
    await waitUntil(async () => {
      report([{ time: new Date(), data }]);
      return streams.heldBytes > 0;
    });
    expect(streams.size).toBe(1);
    await waitUntil(async () => streams.size === 0);
    expect(streams.heldBytes).toBe(0);
  });
});

describe('Limit of open streams', () => {
  it('applies to each token and to each owner', async () => {
    const readers = [];
    for (let n = 0; n < 5; n++) readers.push(await listen('stateStream'));
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(readers[4]!.response.headers['retry-after']).toBe('10');
    const by = test.app
      .get(TokenSigner)
      .sign({ sub: user.id, scope: SCOPES }, { ttl: 3600, issuedAt: new Date(Date.now() + 5_000) });
    const others = [];
    for (let n = 0; n < 3; n++) others.push(await listen('commandStream', { by }));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 429]);
    const stranger = await makeUser(test);
    const elsewhere = await makeApplication(test, stranger.token);
    const theirs = await makeDevice(elsewhere, stranger.token);
    own = `/applications/${elsewhere.id}/devices/${theirs.id}`;
    expect((await listen('stateStream', { by: tokenOf(test, stranger.id, SCOPES) })).status).toBe(200);
    own = `/applications/${application.id}/devices/${device.id}`;
    readers[0]!.close();
    await waitUntil(async () => streamsOf(test) === 6);
    expect((await listen('stateStream')).status).toBe(200);
  });
});

describe('Shutdown of a process', () => {
  it('ends its streams, but not those of other processes', async () => {
    const reader = await listen('stateStream', { at: other });
    const rest = await listen('stateStream');
    await other.app.get(GracefulShutdown).drain({ timeoutMs: 5_000, waitsForLoadBalancers: false });
    await reader.ends();
    expect(reader.response.complete).toBe(true);
    expect(rest.isOver).toBe(false);
  });
});
