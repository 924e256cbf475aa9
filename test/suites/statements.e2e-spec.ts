import { Application } from '../../src/modules/applications/applications/application.resource.js';
import { AccessCache } from '../../src/platform/access/access-cache.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { makeApplication, makeOrg, makeUser, tokenOf } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { isDecision, statementCounter } from './statements.js';
import { suite } from '../setup/suite.js';

/** Number of statements per request, each of which adds a round trip to every call. */
describe('Statements of a request', () => {
  const { test } = suite();
  let send: ReturnType<typeof statementCounter>;
  beforeAll(() => {
    const counted = statementCounter(test);
    // This suite counts authorization as well.
    send = async (...request) => {
      const answer = await counted(...request);
      return { ...answer, statements: answer.sent.map(({ text }) => text) };
    };
  });

  /** Returns a user with a cached token and an application. */
  async function seen() {
    const { id, token } = await makeUser(test);
    const application = await makeApplication(test, token);
    return { userId: id, token, application };
  }

  async function makeMany(owner: { ownerId: string; ownerType: 'user' | 'organization' }, count: number) {
    const now = new Date();
    const rows = Array.from({ length: count }, (_, i) => ({
      id: newId(),
      name: `many-${i}`,
      creationDate: now,
      lastUpdated: now,
      ...owner,
    }));
    await test.dataSource.manager.insert(Application, rows);
  }

  it('get an application: 1', async () => {
    const { token, application } = await seen();
    const { status, statements } = await send('GET', `/applications/${application.id}`, token);
    expect(status).toBe(200);
    expect(statements).toEqual([expect.stringMatching(/^SELECT .* FROM applications t /s)]);
  });

  it('get an application of an organization with all counts: 1', async () => {
    const { token } = await seen();
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    await send('GET', '/applications', token);
    const query = 'summaryInclude=deviceCount,flowCount,payloadCount,storageStats';
    const { body, statements } = await send('GET', `/applications/${id}?${query}`, token);
    expect(body.organizationName).toBe(org.name);
    expect(statements).toHaveLength(1);
  });

  it('create an application: 1', async () => {
    const { token } = await seen();
    const { status, statements } = await send('POST', '/applications', token, { name: 'new' });
    expect(status).toBe(201);
    expect(statements).toEqual([expect.stringMatching(/^INSERT INTO applications /)]);
  });

  it('update an application: 1', async () => {
    const { token, application } = await seen();
    const { status, statements } = await send('PATCH', `/applications/${application.id}`, token, {
      name: 'other',
      description: 'changed',
    });
    expect(status).toBe(200);
    expect(statements).toEqual([expect.stringMatching(/^UPDATE applications /)]);
  });

  it('list a sandbox: 1, including the total count', async () => {
    const { token } = await seen();
    for (const query of [
      '',
      '?orgId=',
      '?filter=app*',
      '?sortField=creationDate',
      '?page=7&perPage=1',
      '?summaryInclude=deviceCount',
    ]) {
      const { status, statements } = await send('GET', `/applications${query}`, token);
      expect(status).toBe(200);
      expect({ query, count: statements.length }).toEqual({ query, count: 1 });
    }
  });

  it('list 100 applications of a sandbox: 1, including all summaries', async () => {
    const { token, userId } = await seen();
    await makeMany({ ownerId: userId, ownerType: 'user' }, 99);
    const { body, statements } = await send('GET', '/applications', token);
    expect(body.count).toBe(100);
    expect(body.items.every(({ summary }: { summary?: object }) => summary)).toBe(true);
    expect(statements).toHaveLength(1);
  });

  it('list 100 applications with some of organizations: 1, whatever the number of organizations', async () => {
    const { token, userId } = await seen();
    await makeMany({ ownerId: userId, ownerType: 'user' }, 39);
    for (let i = 0; i < 3; i++) {
      const { id } = await makeOrg(test, token);
      await makeMany({ ownerId: id, ownerType: 'organization' }, 20);
    }
    await send('GET', '/me', token);
    const { body, statements } = await send('GET', '/applications', token);
    expect(body.count).toBe(100);
    const named = body.items.filter(
      ({ organizationName }: { organizationName?: string }) => organizationName,
    );
    expect(named).toHaveLength(60);
    expect(statements).toHaveLength(1);
  });

  it('with an uncached token: one more, once', async () => {
    const { userId, application } = await seen();
    const path = `/applications/${application.id}`;
    const requests: [string, string, unknown?][] = [
      ['GET', path],
      ['GET', '/applications?summaryInclude=deviceCount'],
      ['POST', '/applications', { name: 'new' }],
      ['PATCH', path, { name: 'other' }],
    ];
    for (const [index, [method, at, body]] of requests.entries()) {
      const token = tokenOf(test, userId, ['all.User'], 1000 + index);
      expect((await send(method, at, token, body)).statements).toHaveLength(2);
      expect((await send(method, at, token, body)).statements).toHaveLength(1);
    }
  });

  it('without permission to view: no more than with permission', async () => {
    const { application } = await seen();
    const { token } = await seen();
    const { status, statements } = await send('GET', `/applications/${application.id}`, token);
    expect(status).toBe(404);
    expect(statements).toHaveLength(1);
  });

  it('rejected before the handler: 0', async () => {
    const { token } = await seen();
    for (const [method, path, body] of [
      ['GET', '/applications?perPage=0', undefined],
      ['GET', '/applications/no-id', undefined],
      ['POST', '/applications', {}],
    ] as const) {
      const { status, statements } = await send(method, path, token, body);
      expect(status).toBe(400);
      expect(statements).toEqual([]);
    }
  });

  it('are all counted, including those in transactions', async () => {
    const { token, application } = await seen();
    const { statements } = await send('DELETE', `/applications/${application.id}`, token);
    const verbs = statements.map((text) => text.trim().split(/\s/)[0]);
    expect(verbs[0]).toBe('SELECT');
    expect(verbs).toEqual(expect.arrayContaining(['START', 'UPDATE', 'COMMIT']));
  });

  describe('for authorization', () => {
    const APPLICATION = '/applications/{applicationId}';
    const BELOW = '/instances/{instanceId}/orgs/{orgId}';
    let samples: Samples;
    let lives = 5000;
    beforeAll(async () => {
      samples = new Samples(test, await makeUser(test));
    });

    /** Returns the number of a request's statements that authorize it, and of those that the handler runs. */
    async function costs(target: Target, token: string): Promise<{ decision: number; own: number }> {
      const { path, body } = await samples.requestFor(target);
      const { status, statements } = await send(target.method, path, token, body);
      expect(status).toBeLessThan(300);
      const decision = statements.filter(isDecision).length;
      return { decision, own: statements.length - decision };
    }

    it.each([
      ['application.readme', APPLICATION],
      ['application.readmePatch', APPLICATION],
      ['application.globals', APPLICATION],
      ['applicationApiTokens.get', APPLICATION],
      ['applicationApiToken.get', APPLICATION],
      ['instanceOrg.get', BELOW],
      ['instanceOrgMembers.get', BELOW],
      ['org.get', undefined],
      ['instance.get', undefined],
    ])('%s: 1 with an uncached token, with or without a resource in the path, then 0', async (id, place) => {
      const target = targetsOf(test.document).find((one) => one.id === id)!;
      const unseen = () => tokenOf(test, samples.user.id, ['all.User'], lives++);
      const forget = async () => place && test.app.get(AccessCache).evict(await samples.idOf(place));
      const token = unseen();
      await samples.idsOf(target.path);
      await forget();
      const first = await costs(target, token);
      const { own } = first;
      expect(own).toBeGreaterThan(0);
      expect(first).toEqual({ decision: 1, own });
      expect(await costs(target, token)).toEqual({ decision: 0, own });
      expect(await costs(target, unseen())).toEqual({ decision: 1, own });
      await forget();
      expect(await costs(target, token)).toEqual({ decision: place ? 1 : 0, own });
      expect(await costs(target, token)).toEqual({ decision: 0, own });
    });

    it('rejected or invisible: 1, then 0', async () => {
      const target = targetsOf(test.document).find(({ id }) => id === 'application.readmePatch')!;
      const { path, body } = await samples.requestFor(target);
      const { token } = await makeUser(test);
      const counts = async (...[method, at, sent]: [string, string, unknown?]) =>
        (await send(method, at, token, sent)).statements.length;
      expect([await counts('PATCH', path, body), await counts('PATCH', path, body)]).toEqual([1, 0]);
      // Missing resources are not cached, because they may be created at any time.
      const absent = `/applications/${newId()}/readme`;
      expect([await counts('GET', absent), await counts('GET', absent)]).toEqual([1, 1]);
    });
  });
});
