import { Application } from '../../src/modules/applications/applications/application.resource.js';
import { AccessCache } from '../../src/platform/access/access-cache.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { makeApplication, makeOrg, makeUser, tokenOf } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { isDecision, statementCounter } from './statements.js';
import { suite } from '../setup/suite.js';

/** What a request may cost: a statement more is a round trip more on every call of it. */
describe('Statements of a request', () => {
  const { test } = suite();
  let send: ReturnType<typeof statementCounter>;
  beforeAll(() => {
    send = statementCounter(test);
  });

  /** A user whose token was seen a moment ago, with an application. */
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

  it('get: 1', async () => {
    const { token, application } = await seen();
    const { status, statements } = await send('GET', `/applications/${application.id}`, token);
    expect(status).toBe(200);
    expect(statements).toEqual([expect.stringMatching(/^SELECT .* FROM applications t /s)]);
  });

  it('get, of an organization and with every count: 1', async () => {
    const { token } = await seen();
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    await send('GET', '/applications', token);
    const query = 'summaryInclude=deviceCount,flowCount,payloadCount,storageStats';
    const { body, statements } = await send('GET', `/applications/${id}?${query}`, token);
    expect(body.organizationName).toBe(org.name);
    expect(statements).toHaveLength(1);
  });

  it('create: 1', async () => {
    const { token } = await seen();
    const { status, statements } = await send('POST', '/applications', token, { name: 'new' });
    expect(status).toBe(201);
    expect(statements).toEqual([expect.stringMatching(/^INSERT INTO applications /)]);
  });

  it('patch: 1', async () => {
    const { token, application } = await seen();
    const { status, statements } = await send('PATCH', `/applications/${application.id}`, token, {
      name: 'other',
      description: 'changed',
    });
    expect(status).toBe(200);
    expect(statements).toEqual([expect.stringMatching(/^UPDATE applications /)]);
  });

  it('list of a sandbox: 1, with the number on all pages', async () => {
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

  it('list of 100 in a sandbox: 1, all with their summary', async () => {
    const { token, userId } = await seen();
    await makeMany({ ownerId: userId, ownerType: 'user' }, 99);
    const { body, statements } = await send('GET', '/applications', token);
    expect(body.count).toBe(100);
    expect(body.items.every(({ summary }: { summary?: object }) => summary)).toBe(true);
    expect(statements).toHaveLength(1);
  });

  it('list of 100 with some of organizations: 1, however many those are', async () => {
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

  it('a token that was not seen: one more, once', async () => {
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

  it('what may not be seen costs no more than what may', async () => {
    const { application } = await seen();
    const { token } = await seen();
    const { status, statements } = await send('GET', `/applications/${application.id}`, token);
    expect(status).toBe(404);
    expect(statements).toHaveLength(1);
  });

  it('a request that is refused before its handler: 0', async () => {
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

  it('are all counted, those of a transaction too', async () => {
    const { token, application } = await seen();
    const { statements } = await send('DELETE', `/applications/${application.id}`, token);
    const verbs = statements.map((text) => text.trim().split(/\s/)[0]);
    expect(verbs[0]).toBe('SELECT');
    expect(verbs).toEqual(expect.arrayContaining(['START', 'UPDATE', 'COMMIT']));
  });

  describe('to decide whether it is allowed', () => {
    const APPLICATION = '/applications/{applicationId}';
    const BELOW = '/instances/{instanceId}/orgs/{orgId}';
    let samples: Samples;
    let lives = 5000;
    beforeAll(async () => {
      samples = new Samples(test, await makeUser(test));
    });

    /** How many of a request's statements decide on it, and how many are the handler's own. */
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
    ])(
      '%s: 1 for a token that was not seen, with or without what its path names, and 0 after',
      async (id, place) => {
        const target = targetsOf(test.document).find((one) => one.id === id)!;
        const unseen = () => tokenOf(test, samples.user.id, ['all.User'], lives++);
        const forget = async () => place && test.app.get(AccessCache).drop(await samples.idOf(place));
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
      },
    );

    it('what is refused or out of sight: 1, and 0 after', async () => {
      const target = targetsOf(test.document).find(({ id }) => id === 'application.readmePatch')!;
      const { path, body } = await samples.requestFor(target);
      const { token } = await makeUser(test);
      const counts = async (...[method, at, sent]: [string, string, unknown?]) =>
        (await send(method, at, token, sent)).statements.length;
      expect([await counts('PATCH', path, body), await counts('PATCH', path, body)]).toEqual([1, 0]);
      // A missing resource is not cached, because it may exist a moment later.
      const absent = `/applications/${newId()}/readme`;
      expect([await counts('GET', absent), await counts('GET', absent)]).toEqual([1, 1]);
    });
  });
});
