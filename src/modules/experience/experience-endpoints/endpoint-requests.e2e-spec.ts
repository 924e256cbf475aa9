import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { EndpointRequestsRepository, type AnsweredRequests } from './endpoint-requests.repository.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const { test, user, application } = suite();
let path: string;
let endpoints: any[];
let requests: AnsweredRequests[];

const ask = async (query: string) => await test.client.get(`${path}${query}`, { token: user.token });
const record = (some: readonly AnsweredRequests[]) =>
  test.app.get(EndpointRequestsRepository, { strict: false }).record(some);
const folded = () =>
  waitUntil(async () => {
    const text = 'SELECT FROM experience_request_deltas WHERE application_id = $1';
    return (await test.dataSource.query<object[]>(text, [application.id])).length === 0;
  });

/** Requests of three days, some at the exact boundaries of minutes and hours, and of another application. */
beforeEach(async () => {
  path = `/applications/${application.id}/experience/endpoints`;
  endpoints = [];
  for (const route of ['/a', '/b']) {
    const { body } = await test.client.post(path, { method: 'get', route }, { token: user.token });
    endpoints.push(body);
  }
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  requests = Array.from({ length: 600 }, (_, i) => {
    const before = [(i * 7_919_381) % (3 * DAY), (i % 70) * HOUR, (i % 70) * MINUTE, (i % 70) * MINUTE - 1][
      i % 4
    ]!;
    return {
      applicationId: application.id,
      ...(i % 5 ? { endpointId: endpoints[i % 2].id } : {}),
      version: i % 3 ? 'develop' : 'v1',
      domain: i % 7 ? 'pumps.example.com' : application.id,
      statusCode: i % 11 ? 200 : 404,
      time: new Date(Math.min(hour - before, Date.now())),
      requests: 1,
    };
  });
  const [first] = requests;
  await record([...requests, { ...first!, applicationId: newId() }]);
});

const MEMBERS = {
  statusCode: 'statusCode',
  endpointId: 'endpointId',
  version: 'version',
  domain: 'domain',
} as const;

/** Computes the expected statistics of these requests. */
function expected(
  of: readonly AnsweredRequests[],
  by: keyof typeof MEMBERS,
  { start, resolution, length }: { start: number; resolution: number; length: number },
) {
  const steps = Array.from({ length }, (_, step) => start + step * resolution);
  const counts: Record<string, { time: string; count: number }[]> = {};
  for (const request of of) {
    const step = Math.ceil((request.time.getTime() - start) / resolution) - 1;
    if (step < 0 || step >= length) continue;
    const name = String(request[by] ?? 'notFound');
    counts[name] ??= steps.map((time) => ({ time: new Date(time).toISOString(), count: 0 }));
    counts[name][step]!.count += 1;
  }
  return counts;
}

it('Statistics are the same before and after aggregation, for every grouping', async () => {
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  const windows = [
    { end: hour, resolution: HOUR, length: 24 },
    { end: hour, resolution: 7 * HOUR, length: 8 },
    { end: hour, resolution: 24 * HOUR, length: 3 },
    { end: hour - 5 * MINUTE, resolution: MINUTE, length: 180 },
    { end: hour - 5 * MINUTE, resolution: 17 * MINUTE, length: 20 },
  ];
  const check = async () => {
    for (const { end, resolution, length } of windows)
      for (const by of Object.values(MEMBERS)) {
        const steps = { start: end - length * resolution, resolution, length };
        const { body } = await ask(
          `/stats?statGrouping=${by}&end=${end}&duration=${length * resolution}&resolution=${resolution}`,
        );
        expect(body).toEqual(expected(requests, by, steps));
      }
    const steps = { start: hour - DAY, resolution: HOUR, length: 24 };
    const filters: [string, (request: AnsweredRequests) => boolean][] = [
      ['versionFilter=v1', ({ version }) => version === 'v1'],
      ['domainFilter=pumps.example.com', ({ domain }) => domain === 'pumps.example.com'],
      ['statusCodeFilter=404', ({ statusCode }) => statusCode === 404],
      [`endpointIdFilter=${endpoints[0].id}`, ({ endpointId }) => endpointId === endpoints[0].id],
    ];
    for (const [filter, meant] of filters)
      expect((await ask(`/stats?end=${hour}&${filter}`)).body).toEqual(
        expected(requests.filter(meant), 'statusCode', steps),
      );
    const counts = endpoints.map(({ id }) => requests.filter(({ endpointId }) => endpointId === id).length);
    const { body: sorted } = await ask(`?sortField=requestCount&requestCountDuration=${4 * DAY}`);
    const least = counts[0]! < counts[1]! ? 0 : 1;
    expect(sorted.items.map(({ id }: any) => id)).toEqual([endpoints[least].id, endpoints[1 - least].id]);
    expect(sorted.notFoundRequestCount).toBe(requests.filter(({ endpointId }) => !endpointId).length);
  };
  // One more request for the first endpoint, so that the expected order cannot be that of IDs by chance.
  const more = requests.find(({ endpointId }) => endpointId === endpoints[0].id)!;
  const extra = Array.from({ length: 300 }, () => more);
  await record(extra);
  requests.push(...extra);
  await check();
  await folded();
  await check();
});

it('Requests of a deleted application are discarded', async () => {
  await folded();
  const gone = await test.dataSource.query(
    'SELECT FROM experience_request_sums s WHERE NOT EXISTS (SELECT FROM applications a WHERE a.id = s.application_id)',
  );
  expect(gone).toEqual([]);
});

it('Steps end with the current minute or hour by default and include those without requests', async () => {
  const now = { ...requests[0]!, time: new Date(), statusCode: 503 };
  await record([now]);
  for (const resolution of [MINUTE, HOUR]) {
    const { body } = await ask(
      `/stats?statusCodeFilter=503&duration=${3 * resolution}&resolution=${resolution}`,
    );
    const counts = body['503'].map(({ count }: any) => count);
    // The minute may have ended since then.
    expect([
      [0, 0, 1],
      [0, 1, 0],
    ]).toContainEqual(counts);
  }
});

it.each([
  ['resolution=90000', 'resolution must be a multiple of one minute'],
  ['resolution=59999', 'resolution must be'],
  [
    `duration=${DAY + 1}&resolution=${90 * MINUTE}`,
    'resolution must be a multiple of one hour if duration is more than a day',
  ],
  [`duration=${31 * DAY}`, 'duration must be'],
  ['statGrouping=path', 'statGrouping must be one of statusCode, endpointId, version, domain'],
  ['statusCodeFilter=99', 'statusCodeFilter must be'],
  ['endpointIdFilter=1', 'endpointIdFilter must be 24 hexadecimal digits'],
])('Statistics return 400 for %s', async (query, message) => {
  const { status, body } = await ask(`/stats?${query}`);
  expect([status, body.type]).toEqual([400, 'Validation']);
  expect(body.message).toContain(message);
});
