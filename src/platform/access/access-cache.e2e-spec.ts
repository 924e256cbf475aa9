import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { redisForWorker, startApp, type TestApp } from '../../../test/setup/app.js';
import {
  makeApplication,
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
} from '../../../test/make/make.js';
import { Proxy } from '../../../test/setup/proxy.js';
import { waitUntil } from '../../../test/setup/until.js';
import { newId } from '../repositories/resource.js';
import { AccessCache, type Access } from './access-cache.js';
import type { Place } from './places.js';
import { Principal } from './principal.js';
import { suite } from '../../../test/setup/suite.js';

const placeOf = (id = newId()): Place => ({ kind: 'application', id, ownerId: newId(), ownerType: 'user' });

/** Whether a process caches values that it reads now. */
async function keeps(test: TestApp): Promise<boolean> {
  const cache = test.app.get(AccessCache);
  const place = placeOf();
  const token = newId();
  await cache.load(token, () => Promise.resolve(accessTo(place)));
  const kept = [cache.place(place.id), cache.get(token)].map((one) => one !== undefined);
  expect(new Set(kept).size).toBe(1);
  return kept[0]!;
}
const accessTo = (place: Place): Access => ({
  principal: new Principal({ subject: { type: 'user', id: newId() }, scopes: [], issuedAt: 0 }),
  place,
});

describe('A cached place', () => {
  const { test, other } = suite();

  const readme = async (token: string, id: string) =>
    (await other.client.get(`/applications/${id}/readme`, { token })).status;
  const known = (id: string) => other.app.get(AccessCache).place(id);
  const applicationToken = async (token: string, id: string) => {
    const body = { name: 'a', scope: ['all.Application'] };
    return (await test.client.post(`/applications/${id}/tokens`, body, { token })).body.token as string;
  };

  it('is cached by the process that served the request', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    expect(known(id)).toBeUndefined();
    // A process that briefly misses heartbeats caches nothing during that time.
    await waitUntil(async () => (await readme(token, id)) === 200 && known(id) !== undefined);
    expect(known(id)).toMatchObject({ kind: 'application', id });
  });

  it('is evicted from every process when the application is deleted', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    const its = await applicationToken(token, id);
    expect([await readme(token, id), await readme(its, id)]).toEqual([200, 200]);
    expect((await test.client.delete(`/applications/${id}`, { token })).status).toBe(200);
    expect(known(id)).toBeUndefined();
    expect([await readme(token, id), await readme(its, id)]).toEqual([404, 401]);
  });

  it('is evicted from every process when the application is transferred to another owner', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const member = await makeMember(test, org.id, 'view');
    const { id } = await makeApplication(test, token);
    expect([await readme(token, id), await readme(member.token, id)]).toEqual([200, 404]);
    const body = { applicationIds: [id], destinationId: org.id, destinationType: 'organization' };
    expect((await test.client.patch('/me/transferResources', body, { token })).status).toBe(200);
    await waitUntil(async () => (await readme(member.token, id)) === 200 && known(id) !== undefined);
    expect(known(id)).toMatchObject({ ownerId: org.id, ownerType: 'organization' });
  });

  it('is evicted from every process when its organization is deleted, which also revokes the tokens of its applications', async () => {
    const { token } = await makeUser(test);
    const { token: operator, instanceId } = await makeInstanceMember(test, 'admin');
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    const its = await applicationToken(token, id);
    const seen = async () =>
      (await other.client.get(`/instances/${instanceId}/orgs/${org.id}`, { token: operator })).status;
    expect([await seen(), await readme(token, id), await readme(its, id)]).toEqual([200, 200, 200]);
    expect((await test.client.delete(`/orgs/${org.id}`, { token })).status).toBe(200);
    expect(known(org.id)).toBeUndefined();
    expect([await seen(), await readme(token, id), await readme(its, id)]).toEqual([404, 404, 401]);
  });

  it('is not cached if something was evicted while it was being read', async () => {
    const cache = test.app.get(AccessCache);
    const elsewhere = other.app.get(AccessCache);
    const kept = async (meanwhile: () => Promise<void>) => {
      const [alone, together] = [placeOf(), placeOf()];
      const token = newId();
      const read =
        <T>(found: T) =>
        async () => (await meanwhile(), found);
      await cache.loadPlace(read(alone));
      await cache.load(token, read(accessTo(together)));
      return [cache.place(alone.id), cache.place(together.id), cache.get(token)].map(
        (one) => one !== undefined,
      );
    };
    await waitUntil(async () => (await kept(() => Promise.resolve())).every(Boolean));
    expect(await kept(() => cache.evict(newId()))).toEqual([false, false, false]);
    expect(await kept(() => elsewhere.evict(newId()))).toEqual([false, false, false]);
  });

  it('is not cached if it does not exist', async () => {
    const cache = test.app.get(AccessCache);
    expect(await cache.loadPlace(() => Promise.resolve(undefined))).toBeUndefined();
    const { token } = await makeUser(test);
    const id = newId();
    expect([await readme(token, id), known(id)]).toEqual([404, undefined]);
  });

  it('is evicted with the whole cache when too many IDs are dropped to be listed', async () => {
    const [here, there] = [placeOf(), placeOf()];
    await test.app.get(AccessCache).loadPlace(() => Promise.resolve(here));
    await other.app.get(AccessCache).loadPlace(() => Promise.resolve(there));
    await test.app.get(AccessCache).evict(Array.from({ length: 200_000 }, newId));
    expect(test.app.get(AccessCache).place(here.id)).toBeUndefined();
    expect(known(there.id)).toBeUndefined();
  });

  it('stays cached when something else is dropped', async () => {
    await waitUntil(async () => {
      const place = placeOf();
      await other.app.get(AccessCache).loadPlace(() => Promise.resolve(place));
      await test.app.get(AccessCache).evict(newId());
      return known(place.id) === place;
    });
  });
});

describe('A revocation', () => {
  it('is broadcast only if there are other processes, which cache nothing before they are heard of', async () => {
    const subscriber = new Redis(redisForWorker());
    const messages: string[] = [];
    subscriber.on('message', (_channel, message: string) => messages.push(message));
    const revoked = () => messages.filter((message) => message.startsWith('revoked')).length;
    /** Heartbeats until now have arrived at the subscriber, and revocations before them. */
    const evict = async ({ app }: TestApp) => {
      await app.get(AccessCache).evict(newId());
      const beats = messages.length;
      await waitUntil(() => Promise.resolve(messages.slice(beats).some((one) => one.startsWith('beat'))));
      return revoked();
    };
    const first = await startApp();
    try {
      await subscriber.subscribe(`fieldwright:${first.app.get(DataSource).driver.database}:revocations`);
      await waitUntil(() => keeps(first));
      expect(await evict(first)).toBe(0);
      const second = await startApp();
      try {
        expect(await evict(second)).toBe(1);
        await waitUntil(() => keeps(second));
        expect(await evict(second)).toBe(2);
        expect(await evict(first)).toBe(3);
      } finally {
        await second.close();
      }
      await waitUntil(async () => {
        const before = revoked();
        return (await evict(first)) === before;
      });
    } finally {
      await first.close();
      subscriber.disconnect();
    }
  });
});

describe('A process that cannot receive revocations', () => {
  it('caches nothing, and can still make changes', async () => {
    const test = await startApp({}, { redisUrl: 'redis://127.0.0.1:9' });
    try {
      expect(await keeps(test)).toBe(false);
      await test.app.get(AccessCache).evict(newId());
    } finally {
      await test.close();
    }
  });

  it('clears its cache, and caches again once it is reconnected', async () => {
    const proxy = await Proxy.before(redisForWorker());
    const test = await startApp({}, { redisUrl: proxy.url });
    try {
      const cache = test.app.get(AccessCache);
      await waitUntil(() => keeps(test));
      const place = placeOf();
      await cache.loadPlace(() => Promise.resolve(place));
      await proxy.refuse();
      await waitUntil(() => Promise.resolve(cache.place(place.id) === undefined));
      expect(await keeps(test)).toBe(false);
      await proxy.restore();
      await waitUntil(() => keeps(test));
    } finally {
      await test.close();
      await proxy.refuse();
    }
  });
});
