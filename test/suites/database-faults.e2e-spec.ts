import pg from 'pg';
import { DyingConnections } from '../doubles/dying-connections.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { makeApplication, makeInstanceMember, makeUser } from '../make/make.js';
import { Samples, type SampleRequest } from '../contract/samples.js';
import { onlyFamilies, sample, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

/** Positions of statements in a transaction; most transactions have fewer. */
const STATEMENTS = Array.from({ length: 12 }, (_, i) => i);
/** Number of positions at which the connection dies in a partial run. */
const ATTEMPTS = 3;
/**
 * Operations that record the request in one transaction and apply it in others. If one of the later ones fails, workers
 * finish it.
 */
const ASYNC_OPERATIONS: ReadonlySet<string> = new Set(
  ['edgeDeployments', 'embeddedDeployments'].flatMap((family) =>
    ['release', 'remove', 'replace'].map((action) => `${family}.${action}`),
  ),
);

const { test } = suite({ LOG_LEVEL: 'fatal', PROCESS_ROLE: 'api' }, { database: 'own', retries: false });
/** A connection outside the platform that is never terminated. */
let operator: pg.Client;
let changing: Target[];

beforeAll(async () => {
  const { url } = test.dataSource.options as { url: string };
  operator = new pg.Client(url);
  operator.on('error', () => undefined);
  await operator.connect();
  changing = selected(targetsOf(test.document)).filter(({ method }) => method !== 'GET');
});
afterAll(() => operator.end());

const send = ({ path, body }: SampleRequest, { method }: Target, token: string) =>
  test.client.request(method, path, { body, token });

/** Samples of a new user, which the request may delete with all their resources. */
const samplesOfNew = async () => new Samples(test, await makeInstanceMember(test, 'admin'), 'organization');

describe('A connection that dies in a transaction', () => {
  let dying: DyingConnections;
  beforeAll(() => {
    dying = new DyingConnections((id) => operator.query('SELECT pg_terminate_backend($1, 5000)', [id]));
  });
  afterAll(() => dying.restore());

  it('makes every operation return 503, at any statement', async () => {
    const faults: string[] = [];
    for (const target of changing) {
      const samples = await samplesOfNew();
      const request = await samples.requestFor(target);
      for (const after of sample(target.id, STATEMENTS, ATTEMPTS)) {
        const before = dying.died;
        dying.after = after;
        const { status, body, headers } = await send(request, target, samples.user.token);
        dying.after = undefined;
        if (dying.died === before) break;
        if (status === 201 && ASYNC_OPERATIONS.has(target.id)) continue;
        if (status !== 503 || !headers.get('retry-after'))
          faults.push(`${target.id} after ${after}: ${status} ${body.message}`);
      }
    }
    expect(faults).toEqual([]);
    expect(dying.died).toBeGreaterThan(onlyFamilies ? 0 : 50);
  }, 300_000);
});

describe('A read-only database', () => {
  const settle = async (readOnly: boolean) => {
    const { database } = operator;
    await operator.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${readOnly}`);
    await operator.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [database],
    );
  };
  const ready = () => test.client.get('/health/ready');

  it('makes every change return 503 and reports the process as not ready', async () => {
    const requests: { target: Target; request: SampleRequest; token: string }[] = [];
    for (const target of changing) {
      const samples = await samplesOfNew();
      requests.push({ target, request: await samples.requestFor(target), token: samples.user.token });
    }
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    await settle(true);
    try {
      await waitUntil(async () => (await ready()).status === 503);
      expect((await ready()).body.details.database).toEqual({ status: 'down', readOnly: true });
      const read = () => test.client.get(`/applications/${id}`, { token });
      await waitUntil(async () => (await read()).status === 200);
      const faults: string[] = [];
      let refused = 0;
      for (const { target, request, token } of requests) {
        const { status, body } = await send(request, target, token);
        if (status === 503) refused++;
        else if (status >= 500) faults.push(`${target.id}: ${status} ${body.message}`);
      }
      expect(faults).toEqual([]);
      expect(refused).toBeGreaterThan(onlyFamilies ? 0 : changing.length / 2);
    } finally {
      await operator.query('SET default_transaction_read_only = off');
      await settle(false);
    }
    await waitUntil(async () => (await ready()).status === 200);
  }, 120_000);
});

describe('A locked table', () => {
  it('does not block requests that use other tables', async () => {
    const { client } = test;
    const busy = await makeUser(test);
    const other = await makeUser(test);
    const locked = `/applications/${(await makeApplication(test, busy.token)).id}/webhooks`;
    const { id } = await makeApplication(test, other.token);
    await operator.query('BEGIN');
    await operator.query('LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE');
    let flooding = true;
    const flood = Array.from({ length: 60 }, async (_, i) => {
      const statuses: number[] = [];
      while (flooding) {
        const { status } = await (i % 2
          ? client.get(locked, { token: busy.token })
          : client.post(locked, { name: `a${i}` }, { token: busy.token }));
        statuses.push(status);
      }
      return statuses;
    });
    try {
      for (let i = 0; i < 3; i++) {
        const answers = await Promise.all([
          client.get('/applications', { token: other.token }),
          client.get(`/applications/${id}`, { token: other.token }),
          client.patch(`/applications/${id}`, { description: `${i}` }, { token: other.token }),
          client.post(`/applications/${id}/keys`, {}, { token: other.token }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
      }
    } finally {
      flooding = false;
      await operator.query('COMMIT');
    }
    const statuses = new Set((await Promise.all(flood)).flat());
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
  }, 120_000);
});
