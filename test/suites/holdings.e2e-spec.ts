import { countedRows, holdings } from '../../src/families.js';
import { APPLICATION_COUNTS, UNCOUNTED } from '../../src/platform/counts/summaries.js';
import type { Holding } from '../../src/platform/holdings/holding.js';
import { componentName } from '../contract/component-name.js';
import { ORGANIZATIONS_ONLY, Samples } from '../contract/samples.js';
import { filled, targetsOf } from './hostile/operations.js';
import { defaultInstance, makeApplication, makeInstanceMember, makeOrg, makeUser } from '../make/make.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

const APPLICATION = '/applications/{applicationId}';

const { test, user } = suite({ PROCESS_ROLE: 'all' });

/** Creates an application of an organization, because some resources exist only there. */
const makeHolder = async (): Promise<{ id: string }> => {
  const { id: orgId } = await makeOrg(test, user.token);
  return makeApplication(test, user.token, { orgId });
};

/** Resources with a separate create request and a limited number. */
const made = holdings.filter(({ count, measures }) => count && !measures);

/** Bodies by application and name; the same name gives the same body. */
const bodies = new Map<string, Promise<object>>();

/** Returns the collection of a holding in an application, and a function that generates bodies with distinct names. */
function collectionOf({ type, table }: Holding, applicationId: string) {
  const makes = ({ path, method, id }: { path: string; method: string; id: string }) =>
    method === 'POST' &&
    id.endsWith('.post') &&
    new RegExp(`^${APPLICATION}/[\\w/-]+$`.replace(/[{}]/g, '\\$&')).test(path);
  const targets = targetsOf(test.document).filter(makes);
  const made = ({ path }: { path: string }): string => {
    const { schema } = (test.document.paths[path]!.post!.responses['201'] as any).content['application/json'];
    return String(schema.$ref).split('/').at(-1)!;
  };
  const component = componentName(type);
  // The create response may have a separate schema.
  const target =
    targets.find((each) => made(each) === component) ??
    targets.find((each) => made(each).startsWith(type.name));
  if (!target) throw new Error(`${table}: no operation makes one`);
  const path = filled(target.path, { applicationId });
  // A single resource is below the collection, or its path is named after it.
  const single = `${target.id.split('.')[0]!.replace(/ies$/, 'y').replace(/s$/, '')}.get`;
  const one = targetsOf(test.document).find(({ id }) => id === single)!.path;
  const own = (id: string) => filled(one, { applicationId }).replace(/\{\w+\}$/, id);
  const example = target.example as object;
  const newBody = async (n: number | string): Promise<object> => {
    const declared = await new Samples(test, user).in(applicationId).declaredBody(target);
    if (declared) return declared;
    return 'name' in example ? { ...example, name: `name-${n}` } : example;
  };
  const bodyOf = (n: number | string): Promise<object> => {
    const key = `${applicationId} ${target.id} ${n}`;
    if (!bodies.has(key)) bodies.set(key, newBody(n));
    return bodies.get(key)!;
  };
  return { path, own, bodyOf, isOfOrganizations: ORGANIZATIONS_ONLY.has(target.id) };
}

type Collection = ReturnType<typeof collectionOf>;

const create = async ({ path, bodyOf }: Collection, n: number | string) => {
  const named = await bodyOf(n);
  return test.client.post(path, named, { token: user.token });
};
const limitOrg = (orgId: string, limits: object) =>
  test.dataSource.query('UPDATE orgs SET limits = $2 WHERE id = $1', [orgId, limits]);

it('sets a limit for every resource except those without an owner limit', () => {
  expect(made.filter(({ limit }) => !limit).map(({ table }) => table)).toEqual(['events']);
});

describe.each(made.map((holding) => [holding.table, holding] as const))('%s', (table, holding) => {
  const { limit } = holding;
  const count = holding.count!;

  if (limit)
    it('are limited per owner, even under concurrent requests', async () => {
      const org = await makeOrg(test, user.token);
      const { id } = await makeApplication(test, user.token, { orgId: org.id });
      const collection = collectionOf(holding, id);
      await limitOrg(org.id, { [limit]: 3 });
      const first = await Promise.all(Array.from({ length: 6 }, (_, n) => create(collection, n)));
      expect(first.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
      const refused = await create(collection, 'more');
      expect(refused).toMatchObject({ status: 400, body: { type: 'Validation' } });
      expect(refused.body.message).toMatch(/^The limit of 3 .+ is reached$/);
      const kept = first.find(({ status }) => status === 201)!.body;
      await test.client.delete(collection.own(kept.id), { token: user.token });
      expect((await create(collection, 'again')).status).toBe(201);
    });

  it('are counted identically in the summaries of the application and of its owner', async () => {
    const admin = await makeInstanceMember(test, 'admin');
    const instance = `/instances/${await defaultInstance(test)}`;
    const org = await makeOrg(test, user.token);
    const inOrg = await makeApplication(test, user.token, { orgId: org.id });
    const inSandbox = await makeApplication(test, user.token);
    const own = collectionOf(holding, inSandbox.id).isOfOrganizations ? [] : [inSandbox];
    for (const [n, { id }] of [inOrg, inOrg, ...own].entries())
      expect((await create(collectionOf(holding, id), n)).status).toBe(201);
    const counted = async (path: string, token = user.token) => {
      const { body } = await test.client.get(`${path}?summaryInclude=${count}`, { token });
      return body.summary;
    };
    expect(await counted(`/applications/${inOrg.id}`)).toEqual({ [count]: 2 });
    expect(await counted(`/applications/${inSandbox.id}`)).toEqual({ [count]: own.length });
    expect(await counted(`/orgs/${org.id}`)).toEqual({ [count]: 2 });
    expect(await counted('/me')).toEqual({ [count]: own.length });
    expect(await counted(`${instance}/orgs/${org.id}`, admin.token)).toEqual({ [count]: 2 });
    expect(await counted(`${instance}/sandboxes/${user.id}`, admin.token)).toEqual({ [count]: own.length });
    const { body } = await test.client.get(`/applications?summaryInclude=${count}`, { token: user.token });
    expect(body.items.map(({ summary }: any) => summary[count]).sort()).toEqual([own.length, 2]);
    await test.client.delete(`/applications/${inOrg.id}`, { token: user.token });
    expect(await counted(`/orgs/${org.id}`)).toEqual({ [count]: 0 });
  });

  it('belong to their application only', async () => {
    const [mine, other] = [await makeHolder(), await makeHolder()];
    const { body } = await create(collectionOf(holding, mine.id), 1);
    const foreign = collectionOf(holding, other.id).own(body.id);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const sent = method === 'PATCH' ? { body: {} } : {};
      const { status } = await test.client.request(method, foreign, { token: user.token, ...sent });
      expect([method, status]).toEqual([method, 404]);
    }
    const stranger = await makeUser(test);
    const own = collectionOf(holding, mine.id).own(body.id);
    expect((await test.client.get(own, { token: stranger.token })).status).toBe(404);
  });

  it('are deleted with their application', async () => {
    const { id } = await makeHolder();
    await create(collectionOf(holding, id), 1);
    await test.client.delete(`/applications/${id}`, { token: user.token });
    await waitUntil(async () => {
      const rows = await test.dataSource.query<object[]>(
        `SELECT 1 AS one FROM ${table} WHERE application_id = $1 UNION ALL SELECT 1 FROM applications WHERE id = $1`,
        [id],
      );
      return rows.length === 0;
    });
  });

  if (holding.conflictMessages)
    it('have unique names, even under concurrent requests', async () => {
      const { id } = await makeHolder();
      const collection = collectionOf(holding, id);
      const answers = await Promise.all(Array.from({ length: 5 }, () => create(collection, 'same')));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
      const messages = answers.filter(({ status }) => status === 400).map(({ body }) => body.message);
      for (const message of messages) expect(Object.values(holding.conflictMessages!)).toContain(message);
    });
});

describe('Counts', () => {
  it('are those of stored rows, except payloads, which are accumulated over time', () => {
    const kept = countedRows.flatMap(({ amounts }) => amounts.map(({ kind }) => kind)).join(' ');
    const missing = Object.keys(APPLICATION_COUNTS).filter((name) => !new RegExp(`'${name}\\b`).test(kept));
    expect(missing.sort()).toEqual([...UNCOUNTED, 'payloadCount'].sort());
  });
});
