import { jest } from '@jest/globals';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeApplication } from '../../../test/make/make.js';
import { SITES, sitesPort, TestSite } from '../../../test/make/sites.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { PayloadCounter } from '../../platform/payloads/payload-counter.js';
import type { SharedCounts } from '../../platform/throttle/shared-counts.js';
import { RequestLog } from './request-log.js';
import { SiteRates } from './site-rates.js';

const { test, user } = suite({ ...SITES, REQUESTS_PER_SITE: '2' }, { database: 'own' });
let site: TestSite;

beforeEach(async () => {
  site = new TestSite(test, user, await makeApplication(test, user.token));
});

interface InnerRates {
  readonly shared: SharedCounts;
  admit(site: string): boolean;
  runBatch(): Promise<boolean>;
}

interface InnerLog {
  readonly repository: { record(...counts: unknown[]): Promise<void> };
  runBatch(): Promise<boolean>;
}

const log = () => test.app.get<unknown, InnerLog>(RequestLog);
/** Stores the counts now. */
const stored = () => log().runBatch();

/** Returns the numbers of requests in the statistics of the endpoints, by a member. */
async function countsBy(statGrouping: string): Promise<Record<string, number>> {
  await stored();
  const stats = await site.call('get', `experience/endpoints/stats?statGrouping=${statGrouping}`);
  return Object.fromEntries(
    Object.entries<{ count: number }[]>(stats).map(([name, steps]) => [
      name,
      steps.reduce((sum, { count }) => sum + count, 0),
    ]),
  );
}

describe('Requests', () => {
  it('are counted by endpoint, status, host and version', async () => {
    const home = await site.page('/', 'home');
    const own = await site.page('/own', 'own', {});
    await site.call('patch', `experience/endpoints/${own.id}`, { access: 'authenticated' });
    const failing = await site.replying('/teapot', { responseCodeTemplate: '418' });
    const slug = `s${site.application.id}`;
    await site.call('post', 'experience/versions', { version: 'v1' });
    await site.call('post', 'experience/slugs', { slug, version: 'v1' });
    for (const path of ['/', '/', '/own', '/teapot', '/none']) await site.visit(path);
    await site.visit('/', { host: `${slug}.sites.test` });
    await site.visit('/', { method: 'HEAD' });
    // Not answered by an experience.
    await site.visit('/', { host: 'unknown.sites.test' });
    expect(await countsBy('endpointId')).toEqual({ [home.id]: 4, [own.id]: 1, [failing.id]: 1, notFound: 1 });
    expect(await countsBy('statusCode')).toEqual({ 200: 4, 401: 1, 404: 1, 418: 1 });
    expect(await countsBy('domain')).toEqual({ [site.application.id]: 6, [slug]: 1 });
    expect(await countsBy('version')).toEqual({ develop: 6, v1: 1 });
  });

  it('are logged with their route, also if the client disconnects', async () => {
    await site.endpoint('/slow/{id}');
    const options = {
      host: '127.0.0.1',
      port: sitesPort(test),
      path: '/slow/1',
      headers: { host: site.host },
    };
    await waitUntil(async () => {
      const asked = request(options)
        .on('error', () => undefined)
        .end();
      await sleep(100);
      asked.destroy();
      const lines = test.log.join('').split('\n');
      return lines.some((line) => line.includes('"/slow/{id}"') && line.includes('"aborted":true'));
    });
  });

  it('that match an endpoint are payloads, with and without a workflow', async () => {
    await site.page('/static', 'static');
    await site.replying('/workflow', { bodyTemplate: 'ok' });
    const { token } = await site.visitor();
    for (const path of ['/static', '/workflow', '/none'])
      for (const given of [undefined, token]) await site.visit(path, { token: given });
    await test.app.get<unknown, Pick<InnerLog, 'runBatch'>>(PayloadCounter).runBatch();
    const counts = await site.call('get', 'payloadCounts');
    expect(counts).toMatchObject({ endpoint: { 'public.rest': 2, 'experienceUser.rest': 2 } });
  });

  it('that cannot be stored are stored later', async () => {
    await site.page('/', 'home');
    await site.visit('/');
    const record = jest.spyOn(log().repository, 'record').mockRejectedValueOnce(new Error('down'));
    await expect(stored()).rejects.toThrow('down');
    record.mockRestore();
    await site.visit('/');
    expect(await countsBy('statusCode')).toEqual({ 200: 2 });
  });
});

describe('A site', () => {
  it('answers ten seconds of its rate at once, and others are not affected', async () => {
    await site.page('/', 'home');
    const other = new TestSite(test, user, await makeApplication(test, user.token));
    await other.page('/', 'other');
    // At once, because the limit grows while they are sent.
    const answers = await Promise.all(Array.from({ length: 60 }, () => site.visit('/')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(20);
    expect(refused.length).toBeGreaterThan(0);
    expect([refused[0]!.text, refused[0]!.headers['retry-after']]).toEqual([
      '{"error":"Over rate limit, request throttled"}',
      '1',
    ]);
    expect((await other.visit('/')).text).toBe('other');
    // Each host has its own limit.
    const slug = `t${site.application.id}`;
    await site.call('post', 'experience/slugs', { slug });
    expect((await site.visit('/', { host: `${slug}.sites.test` })).status).toBe(200);
    expect(await countsBy('statusCode')).toEqual({ 200: answers.length + 1 - refused.length });
  });

  it('shares its limit with all processes', async () => {
    const rates = test.app.get<unknown, InnerRates>(SiteRates);
    for (let i = 0; i < 15; i++) expect(rates.admit('shared.example.com')).toBe(true);
    await rates.runBatch();
    // Another process has answered as many.
    const key = `${Math.floor(Date.now() / 10_000)}:shared.example.com`;
    await rates.shared.add([{ key, points: 15 }]);
    rates.admit('shared.example.com');
    await rates.runBatch();
    expect(rates.admit('shared.example.com')).toBe(false);
  });
});
