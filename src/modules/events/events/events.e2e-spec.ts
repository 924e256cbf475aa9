import fc from 'fast-check';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { EventsRetention } from './events-retention.js';
import { EVENT_RATE } from './events.service.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'all' }, { retries: false });
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/events`;
});

const EVENT = { level: 'warning', subject: 'Pressure too high' };
const create = (body: object = EVENT, token = user.token) => test.client.post(path, body, { token });
const made = async (body: object = {}) => (await create({ ...EVENT, ...body })).body;
const get = (query = '') => test.client.get(`${path}${query}`, { token: user.token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });
const subjectsOf = async (query: string) =>
  (await get(query)).body.items.map(({ subject }: { subject: string }) => subject);
const about = (query: object) => `?query=${encodeURIComponent(JSON.stringify(query))}`;

describe('An event', () => {
  it('is created, returned, updated and deleted', async () => {
    const device = await makeDevice(test, user.token, application.id, { name: 'Pump 3' });
    const { status, body } = await create({
      ...EVENT,
      message: 'Above 9 bar',
      data: { pressure: [9.4, null] },
      eventTags: { site: 'north' },
      deviceId: device.id.toUpperCase(),
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      eventId: body.id,
      applicationId: application.id,
      creationDate: body.lastUpdated,
      lastUpdated: expect.any(String),
      ...EVENT,
      state: 'new',
      message: 'Above 9 bar',
      data: { pressure: [9.4, null] },
      eventTags: { site: 'north' },
      disableTagChangeTracking: false,
      deviceId: device.id,
      deviceName: 'Pump 3',
      sourceType: 'user',
      sourceId: user.id,
      sourceName: user.email,
      updates: [],
    });
    const own = `${path}/${body.id}`;
    const changed = await patch(body.id, { state: 'resolved', comment: 'A valve was shut' });
    expect(changed.body).toEqual({
      ...body,
      state: 'resolved',
      lastUpdated: expect.any(String),
      updates: [
        {
          creationDate: changed.body.lastUpdated,
          sourceType: 'user',
          sourceId: user.id,
          sourceName: user.email,
          comment: 'A valve was shut',
          state: 'resolved',
          stateChange: { old: 'new', new: 'resolved' },
        },
      ],
    });
    expect((await get(`/${body.id}`)).body).toEqual(changed.body);
    const { updates: _updates, ...listed } = changed.body;
    expect((await get()).body.items).toEqual([listed]);
    expect((await test.client.delete(own, { token: user.token })).body).toEqual({ success: true });
    expect((await get(`/${body.id}`)).body).toEqual({ type: 'NotFound', message: 'Event was not found' });
    expect((await patch(body.id, {})).status).toBe(404);
  });

  it('records each change of every updatable property', async () => {
    const [old, other] = [
      await makeDevice(test, user.token, application.id, { name: 'Old' }),
      await makeDevice(test, user.token, application.id, { name: 'Other' }),
    ];
    const { id } = await made({ eventTags: { site: 'north', line: '1' }, deviceId: old.id });
    const change = {
      level: 'critical',
      subject: 'Burst',
      eventTags: { site: 'south', shift: '2' },
      deviceId: other.id,
      data: 7,
    };
    const { body } = await patch(id, change);
    const { data, ...rest } = change;
    expect(body).toMatchObject({ ...rest, deviceName: 'Other', state: 'new' });
    expect(body).not.toHaveProperty('data');
    expect(body.updates[0]).toEqual({
      creationDate: body.lastUpdated,
      sourceType: 'user',
      sourceId: user.id,
      sourceName: user.email,
      data,
      levelChange: { old: 'warning', new: 'critical' },
      subjectChange: { old: 'Pressure too high', new: 'Burst' },
      deviceIdChange: { old: old.id, oldDeviceName: 'Old', new: other.id, newDeviceName: 'Other' },
      tagsChange: {
        site: { old: 'north', new: 'south' },
        line: { old: '1' },
        shift: { new: '2' },
      },
    });
    const { body: none } = await patch(id, { deviceId: null });
    expect(none).not.toHaveProperty('deviceId');
    expect(none).not.toHaveProperty('deviceName');
    expect(none.updates[1].deviceIdChange).toEqual({ old: other.id, oldDeviceName: 'Other' });
    const { body: same } = await patch(id, { level: 'critical', eventTags: { shift: '2', site: 'south' } });
    expect(Object.keys(same.updates[2]).sort()).toEqual([
      'creationDate',
      'sourceId',
      'sourceName',
      'sourceType',
    ]);
  });

  it('omits changes of tags from updates when tracking is disabled', async () => {
    const { id, disableTagChangeTracking } = await made({ disableTagChangeTracking: true });
    expect(disableTagChangeTracking).toBe(true);
    const { body } = await patch(id, { eventTags: { a: 'b' }, level: 'info' });
    expect(body.eventTags).toEqual({ a: 'b' });
    expect(body.updates[0]).not.toHaveProperty('tagsChange');
    expect(body.updates[0]).toHaveProperty('levelChange');
  });

  it('keeps its last 100 updates, including with concurrent requests', async () => {
    const { id } = await made();
    await test.dataSource.query('UPDATE events SET update_count = 95 WHERE id = $1', [id]);
    await test.dataSource.query(
      `INSERT INTO event_updates (event_id, number, content)
       SELECT $1, n, jsonb_build_object('comment', n::text) FROM generate_series(1, 95) n`,
      [id],
    );
    await Promise.all(Array.from({ length: 10 }, (_, n) => patch(id, { comment: `more ${n}` })));
    const { updates } = (await get(`/${id}`)).body;
    expect(updates).toHaveLength(100);
    expect(updates[0].comment).toBe('6');
    const last = updates.slice(-10).map(({ comment }: { comment: string }) => comment);
    expect(last.sort()).toEqual(Array.from({ length: 10 }, (_, n) => `more ${n}`));
  });

  it('keeps its device ID when the device is deleted', async () => {
    const device = await makeDevice(test, user.token, application.id, { name: 'Pump 3' });
    const { id } = await made({ deviceId: device.id });
    await test.client.delete(`/applications/${application.id}/devices/${device.id}`, { token: user.token });
    const kept = { deviceId: device.id, deviceName: 'Pump 3' };
    expect((await get(`/${id}`)).body).toMatchObject(kept);
    expect((await patch(id, { state: 'resolved' })).body).toMatchObject(kept);
    expect((await patch(id, { deviceId: device.id })).body.message).toBe(
      'event.deviceId is not a device of the application',
    );
  });

  it('has the time it happened as its creation date', async () => {
    const at = '2026-06-13T04:00:00.000Z';
    for (const time of [at, { $date: at }, Date.parse(at), Date.parse(at) / 1000])
      expect((await made({ creationDate: time })).creationDate).toBe(at);
  });

  it('is deleted with its updates when it exceeds the data retention of the owner', async () => {
    await test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, { dataTTL: 86_400 }]);
    const old = await made({ creationDate: Date.now() - 86_400_000 - 60_000 });
    await patch(old.id, { comment: 'old' });
    const young = await made({ creationDate: Date.now() - 86_400_000 + 60_000 });
    await test.app.get(EventsRetention).removeOld();
    expect((await get(`/${old.id}`)).status).toBe(404);
    expect((await get(`/${young.id}`)).status).toBe(200);
    const left = await test.dataSource.query('SELECT 1 FROM event_updates WHERE event_id = $1', [old.id]);
    expect(left).toEqual([]);
  });

  it('contains the name of the token that created it', async () => {
    const tokens = `/applications/${application.id}/tokens`;
    const body = { name: 'Reporter', scope: ['all.Application'] };
    const token = (await test.client.post(tokens, body, { token: user.token })).body;
    const source = { sourceType: 'apiToken', sourceId: token.id, sourceName: 'Reporter' };
    expect((await create(EVENT, token.token)).body).toMatchObject(source);
  });

  it.each<[object, string]>([
    [{}, 'event.level is required'],
    [{ level: 'info' }, 'event.subject is required'],
    [{ ...EVENT, level: 'fatal' }, 'event.level must be one of info, warning, error, critical'],
    [{ ...EVENT, subject: '' }, 'event.subject must have at least 1 characters'],
    [{ ...EVENT, comment: 'a' }, 'event.comment is not a property of event'],
    [{ ...EVENT, deviceId: newId() }, 'event.deviceId is not a device of the application'],
    [
      { ...EVENT, eventTags: { 'a b': 'c' } },
      'event.eventTags must have keys of 1 to 255 letters, digits, _ and -',
    ],
    ...['yesterday', -1, Date.now() + 2 * 86_400_000].map((creationDate): [object, string] => [
      { ...EVENT, creationDate },
      'event.creationDate must be a time since 1970, at most a day ahead',
    ]),
  ])('is not created from %j', async (body, message) => {
    expect((await create(body)).body).toEqual({ type: 'Validation', message });
  });

  it('is rejected when it exceeds the maximum size', async () => {
    const eventTags = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, 'v']));
    expect((await create({ ...EVENT, eventTags })).body.message).toBe(
      'event.eventTags must have at most 100 tags',
    );
    const data = 'x'.repeat(65_536);
    expect((await create({ ...EVENT, data })).body.message).toBe(
      'event.data must have at most 64 KiB as JSON',
    );
  });

  it('rejects updates with unsupported properties', async () => {
    const { id } = await made();
    expect((await patch(id, { message: 'a' })).body.message).toBe('event.message is not a property of event');
    expect((await patch(id, { state: null })).status).toBe(400);
    expect((await get(`/${id}`)).body.updates).toEqual([]);
  });

  it('is rejected when it exceeds the rate limit', async () => {
    const made = test.app.get(RateLimits).limit('events', EVENT_RATE);
    await made.add(application.id, EVENT_RATE.points - 1, 60);
    expect((await create()).status).toBe(201);
    const { status, body, headers } = await create();
    expect([status, body.message]).toEqual([429, 'The application created too many events']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('The events of an application', () => {
  const LEVELS = ['info', 'warning', 'error', 'critical'];
  const STATES = ['new', 'acknowledged', 'resolved'];

  it('are listed in pages sorted by any field, for all states or one', async () => {
    const choice = fc.record({
      level: fc.constantFrom(...LEVELS),
      state: fc.constantFrom(...STATES),
      subject: fc.constantFrom('a', 'b', 'c'),
      creationDate: fc.integer({ min: 1_790_000_000_000, max: 1_790_000_000_003 }),
    });
    const bodies = fc.sample(choice, { numRuns: 24, seed: 7 });
    const events = await Promise.all(bodies.map((body) => made(body)));
    const rank: Record<string, (event: any) => number | string> = {
      level: ({ level }) => LEVELS.indexOf(level),
      state: ({ state }) => STATES.indexOf(state),
      creationDate: ({ creationDate }) => Date.parse(creationDate),
      lastUpdated: ({ lastUpdated }) => Date.parse(lastUpdated),
      subject: ({ subject }) => subject,
      id: ({ id }) => id,
    };
    const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);
    for (const [field, of] of Object.entries(rank))
      for (const direction of [1, -1])
        for (const state of [undefined, 'acknowledged']) {
          const expected = events
            .filter((event) => state === undefined || event.state === state)
            .sort((a, b) => direction * (compare(of(a), of(b)) || compare(a.id, b.id)))
            .map(({ id }) => id);
          const asked = `sortField=${field}&sortDirection=${direction > 0 ? 'asc' : 'desc'}`;
          const all = [];
          for (let page = 0; page * 5 < expected.length; page++) {
            const query = `?${asked}&perPage=5&page=${page}${state ? `&state=${state}` : ''}`;
            const { body } = await get(query);
            expect([query, body.totalCount, body.state]).toEqual([query, expected.length, state]);
            all.push(...body.items.map(({ id }: { id: string }) => id));
          }
          expect([asked, state, all]).toEqual([asked, state, expected]);
        }
  });

  it('are sorted newest first and filtered by subject', async () => {
    for (const subject of ['Pump off', 'valve', 'pump on']) await made({ subject });
    expect(await subjectsOf('')).toEqual(['pump on', 'valve', 'Pump off']);
    const { body } = await get('?filter=PUMP*&perPage=1');
    expect(body).toMatchObject({
      items: [{ subject: 'pump on' }],
      count: 1,
      totalCount: 2,
      filterField: 'subject',
    });
    expect(body.applicationId).toBe(application.id);
    expect(await subjectsOf('?filter=p*&state=resolved')).toEqual([]);
  });

  it('can be listed with an advanced query, which overrides filter and state', async () => {
    const device = await makeDevice(test, user.token, application.id);
    const first = await made({ subject: 'a', deviceId: device.id, eventTags: { site: 'north' } });
    await made({ subject: 'b', level: 'critical', state: 'resolved', eventTags: { site: 'south', x: 'y' } });
    const cases: [object, string[]][] = [
      [{}, ['b', 'a']],
      [{ id: first.id }, ['a']],
      [{ deviceId: device.id }, ['a']],
      [{ deviceId: null }, ['b']],
      [{ level: { $in: ['critical', 'error'] } }, ['b']],
      [{ state: { $ne: 'new' } }, ['b']],
      [{ subject: { $startsWith: 'A', $ci: true } }, ['a']],
      [{ eventTags: { site: { $in: ['north', 'south'] } } }, ['b', 'a']],
      [{ eventTags: { $tagKey: 'x', $tagValue: 'y' } }, ['b']],
      [{ eventTags: { $ne: { site: 'north' } } }, ['b']],
      [{ $or: [{ sourceId: user.id }, { sourceType: 'device' }] }, ['b', 'a']],
      [{ creationDate: { $lte: first.creationDate } }, ['a']],
      [{ lastUpdated: { $gt: '2099-01-01' } }, []],
      [{ experienceUserId: null, experienceGroupId: null }, ['b', 'a']],
      [{ experienceUserId: newId() }, []],
    ];
    for (const [query, subjects] of cases)
      expect([query, await subjectsOf(`${about(query)}&state=acknowledged&filter=zzz`)]).toEqual([
        query,
        subjects,
      ]);
    expect((await get(about({ id: first.id }))).body.query).toEqual({ id: first.id });
    expect((await get(about({ level: 'fatal' }))).body.message).toBe(
      'query.level must be one of info, warning, error, critical',
    );
  });

  it.each([
    ['?state=open', 'state must be one of new, acknowledged, resolved'],
    [
      '?sortField=message',
      'sortField must be one of subject, id, creationDate, lastUpdated, level, state, deviceId',
    ],
  ])('return 400 for %s', async (query, message) => {
    expect((await get(query)).body).toEqual({ type: 'Validation', message });
  });

  it('require view to read and collaborate to write', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/events`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        return [(await test.client.get(path, { token })).status, (await create(EVENT, token)).status];
      }),
    );
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
  });

  it.each([
    [undefined, 401, 401],
    ['events.get', 200, 403],
    ['events.*', 200, 201],
    ['event.get', 403, 403],
    ['all.User.read', 200, 403],
    ['all.Device', 403, 403],
  ])('return, with the scope %s, %i on reads and %i on writes', async (scope, read, written) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await test.client.post(path, EVENT, { token })).status).toBe(written);
  });
});

describe('The most severe new event', () => {
  const gravest = async (query = '') => (await get(`/mostRecentBySeverity${query}`)).body;

  it('is the newest one of the highest level, returned with the number of new events', async () => {
    expect(await gravest()).toEqual({ newCount: 0 });
    await made({ subject: 'a', level: 'error', creationDate: '2026-06-13T04:00:00Z' });
    const { updates: _updates, ...b } = await made({ subject: 'b', level: 'error' });
    await made({ subject: 'c', level: 'info' });
    await made({ subject: 'd', level: 'critical', state: 'acknowledged' });
    expect(await gravest()).toEqual({ event: b, newCount: 3 });
    expect(await gravest('?filter=C')).toMatchObject({ event: { subject: 'c' }, newCount: 1 });
    expect(await gravest(`${about({ subject: { $in: ['a', 'c', 'd'] } })}&filter=zzz`)).toMatchObject({
      event: { subject: 'a' },
      newCount: 2,
    });
    expect(await gravest('?filter=d')).toEqual({ newCount: 0 });
    expect((await get('/mostRecentBySeverity?query=a')).status).toBe(400);
  });
});
