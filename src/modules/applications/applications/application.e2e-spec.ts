import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { atLeast } from '../../../platform/access/principal.js';
import { QUEUE } from '../../../platform/jobs/queue.js';
import { ROLES, type Role } from '../../../platform/operations/operation.js';
import { newId } from '../../../platform/repositories/resource.js';

/** Operations on a single application with the required role. Deletion comes last. */
const OPERATIONS: {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  role: Role;
  scope: string;
}[] = [
  { name: 'get', method: 'GET', path: '', role: 'view', scope: 'application.get' },
  { name: 'readme', method: 'GET', path: '/readme', role: 'view', scope: 'application.get' },
  {
    name: 'patch',
    method: 'PATCH',
    path: '',
    body: { name: 'changed' },
    role: 'collaborate',
    scope: 'application.patch',
  },
  {
    name: 'globals',
    method: 'PATCH',
    path: '/globals',
    body: [{ key: 'changed', json: '1' }],
    role: 'collaborate',
    scope: 'application.patch',
  },
  {
    name: 'readmePatch',
    method: 'PATCH',
    path: '/readme',
    body: { content: 'changed' },
    role: 'collaborate',
    scope: 'application.patch',
  },
  { name: 'delete', method: 'DELETE', path: '', role: 'edit', scope: 'application.delete' },
];

describe('An application', () => {
  const { test } = suite();

  const get = (id: string, token: string) => test.client.get(`/applications/${id}`, { token });
  const patch = (id: string, body: unknown, token: string) =>
    test.client.patch(`/applications/${id}`, body, { token });
  const remove = (id: string, token: string) => test.client.delete(`/applications/${id}`, { token });
  const ask = (id: string, { method, path, body }: (typeof OPERATIONS)[number], token?: string) =>
    test.client.request(method, `/applications/${id}${path}`, { token, body });
  const rowsOf = (id: string): Promise<Record<string, any>[]> =>
    test.dataSource.query('SELECT * FROM applications WHERE id = $1', [id]);
  const times = <T>(count: number, work: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)));

  /** Creates an application of an organization, and returns it with the token of the admin. */
  async function inOrganization(body: object = {}) {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    return { org, token, application: await makeApplication(test, token, { orgId: org.id, ...body }) };
  }

  describe.each(OPERATIONS)('$name', (operation) => {
    it('returns the response for a missing application to callers without access, and changes nothing', async () => {
      const owner = await makeUser(test);
      const { id } = await makeApplication(test, owner.token);
      const { token } = await makeUser(test);
      const before = await rowsOf(id);
      const raw = async (asked: string) => {
        const { method, path, body } = operation;
        const response = await fetch(`${test.client.url}/applications/${asked}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: body === undefined ? undefined : JSON.stringify(body),
        });
        return { status: response.status, text: await response.text() };
      };
      const foreign = await raw(id);
      expect(foreign).toEqual({
        status: 404,
        text: '{"type":"NotFound","message":"Application was not found"}',
      });
      expect(await raw(newId())).toEqual(foreign);
      expect(await rowsOf(id)).toEqual(before);
    });

    it('accepts upper-case IDs and rejects invalid ones', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      for (const wrong of ['x', `${id}0`, `${id.slice(1)}g`, '%00']) {
        const { status, body } = await ask(wrong, operation, token);
        expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
      }
      expect((await ask(id.toUpperCase(), operation, token)).status).toBe(200);
    });

    it('requires a token with its scope', async () => {
      const { id: userId, token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      expect((await ask(id, operation)).status).toBe(401);
      for (const scope of ['applications.*', 'me.*', 'all.Instance'])
        expect((await ask(id, operation, tokenOf(test, userId, [scope]))).status).toBe(403);
      const read = await ask(id, operation, tokenOf(test, userId, ['all.User.read']));
      expect(read.status).toBe(operation.method === 'GET' ? 200 : 403);
      expect((await ask(id, operation, tokenOf(test, userId, [operation.scope]))).status).toBe(200);
    });

    it.each(ROLES)('applies the role %s in the organization', async (role) => {
      const { org, application } = await inOrganization();
      const { token } = await makeMember(test, org.id, role);
      const { status, body } = await ask(application.id, operation, token);
      expect(status).toBe(role === 'none' ? 404 : atLeast(role, operation.role) ? 200 : 403);
      if (status === 403) expect(body).toEqual({ type: 'Forbidden', message: 'Access is forbidden' });
    });

    it.each([
      ['none', 'view'],
      ['none', 'collaborate'],
      ['view', 'collaborate'],
      ['admin', 'collaborate'],
      ['edit', 'view'],
      ['admin', 'none'],
    ] as const)(
      'applies the role on the application: organization %s, application %s',
      async (role, here) => {
        const { org, application } = await inOrganization();
        const applicationRoles = [{ resourceId: application.id, role: here }];
        const { token } = await makeMember(test, org.id, role, { applicationRoles });
        const expected = here === 'none' ? 404 : atLeast(here, operation.role) ? 200 : 403;
        expect((await ask(application.id, operation, token)).status).toBe(expected);
      },
    );

    it('applies the role of the token if it is lower', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      for (const defaultRole of ['none', 'view'] as const) {
        const made = await test.client.post('/me/tokens', { name: uniqueName(), defaultRole }, { token });
        const expected = defaultRole === 'none' ? 404 : operation.role === 'view' ? 200 : 403;
        expect((await ask(id, operation, made.body.token)).status).toBe(expected);
      }
    });
  });

  describe('when updated', () => {
    const FULL = {
      name: 'name',
      description: 'description',
      globals: [
        { key: 'a', json: '1' },
        { key: 'b', json: '2' },
      ],
      endpointDefaultCors: true,
      blobUrlTTL: 7200,
      expUserTokenCutoff: '2026-01-01T00:00:00.000Z',
    };

    it.each<[string, object]>([
      ['name', { name: 'other' }],
      ['description', { description: '' }],
      ['globals', { globals: [{ key: 'c', json: '3' }] }],
      ['no globals', { globals: [] }],
      ['endpointDefaultCors', { endpointDefaultCors: false }],
      ['endpointSlug', { endpointSlug: uniqueName('slug') }],
      ['expUserTokenCutoff', { expUserTokenCutoff: '2027-02-03T04:05:06.007Z' }],
      ['blobUrlTTL', { blobUrlTTL: 3600 }],
      ['ftueTracking', { ftueTracking: [{ name: 'tour', version: 1.5, status: 'completed' }] }],
      ['nothing', {}],
    ])('in %s keeps the other properties', async (_, change) => {
      const { token } = await makeUser(test);
      const application = await makeApplication(test, token, FULL);
      const { status, body } = await patch(application.id, change, token);
      expect(status).toBe(200);
      expect(body).toEqual({ ...application, ...change, lastUpdated: expect.any(String) });
      expect(body.lastUpdated >= application.lastUpdated).toBe(true);
      expect((await get(application.id, token)).body).toEqual(body);
    });

    it('returns the requested summary', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      expect((await patch(`${id}?summaryInclude=flowCount`, {}, token)).body.summary).toEqual({
        flowCount: 0,
      });
      expect((await patch(`${id}?summaryInclude=x`, { name: 'lost' }, token)).status).toBe(400);
      expect((await get(id, token)).body.name).not.toBe('lost');
    });

    it.each<[string, unknown]>([
      ['name', { name: null }],
      ['name', { name: '' }],
      ['description', { description: null }],
      ['globals', { globals: null }],
      [
        'globals.1.key',
        {
          globals: [
            { key: 'a', json: '1' },
            { key: 'a', json: '2' },
          ],
        },
      ],
      ['globals.0.json', { globals: [{ key: 'a', json: 'no json' }] }],
      ['endpointDefaultCors', { endpointDefaultCors: null }],
      ['endpointSlug', { endpointSlug: null }],
      ['expUserTokenCutoff', { expUserTokenCutoff: null }],
      ['blobUrlTTL', { blobUrlTTL: null }],
      ['ftueTracking', { ftueTracking: null }],
      ['ftueTracking.0.status', { ftueTracking: [{ name: 't', version: 1, status: 'begun' }] }],
      ['ownerId', { ownerId: newId() }],
      ['orgId', { orgId: newId() }],
      ['appliedTemplateIds', { appliedTemplateIds: [] }],
      ['readme', { name: 'x', readme: 'x' }],
      ['archiveConfig', { archiveConfig: { credentialName: 'x' } }],
      ['archiveConfig.mode', { archiveConfig: { credentialName: 'x', mode: 'some' } }],
    ])('rejects %s in %j and remains unchanged', async (property, change) => {
      const { token } = await makeUser(test);
      const application = await makeApplication(test, token, FULL);
      const { status, body } = await patch(application.id, change, token);
      expect(status).toBe(400);
      expect(body.message.startsWith(`application.${property} `)).toBe(true);
      expect((await get(application.id, token)).body).toEqual(application);
    });

    it('rejects a slug that is already in use', async () => {
      const { token } = await makeUser(test);
      const endpointSlug = uniqueName('slug');
      const first = await makeApplication(test, token, { endpointSlug });
      const second = await makeApplication(test, token);
      const { status, body } = await patch(second.id, { endpointSlug }, token);
      expect(status).toBe(400);
      expect(body.message).toBe('application.endpointSlug is not available');
      expect((await patch(first.id, { endpointSlug }, token)).status).toBe(200);
    });

    it('keeps 50 concurrent changes to different properties', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      const changes: Record<string, unknown>[] = [
        { name: 'new' },
        { description: 'new' },
        { endpointDefaultCors: true },
        { endpointSlug: uniqueName('slug') },
        { expUserTokenCutoff: '2027-01-01T00:00:00.000Z' },
        { blobUrlTTL: 4000 },
        { ftueTracking: [{ name: 't', version: 1, status: 'skipped' }] },
        { globals: [{ key: 'a', json: '1' }] },
      ];
      const answers = await times(50, (i) => patch(id, changes[i % changes.length], token));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await get(id, token)).body).toMatchObject(Object.assign({}, ...changes));
    });
  });

  describe('when deleted', () => {
    it('is immediately absent from every response', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      const kept = await makeApplication(test, token);
      const { status, body } = await remove(id, token);
      expect({ status, body }).toEqual({ status: 200, body: { success: true } });
      for (const operation of OPERATIONS) {
        const answer = await ask(id, operation, token);
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 404,
          body: { type: 'NotFound', message: 'Application was not found' },
        });
      }
      const { body: list } = await test.client.get('/applications', { token });
      expect(list).toMatchObject({ items: [{ id: kept.id }], count: 1, totalCount: 1 });
    });

    it('releases its slug before its row is deleted', async () => {
      const { token } = await makeUser(test);
      const endpointSlug = uniqueName('slug');
      const { id } = await makeApplication(test, token, { endpointSlug });
      const queue = test.app.get<Queue>(getQueueToken(QUEUE));
      await queue.pause(true);
      try {
        await remove(id, token);
        await makeApplication(test, token, { endpointSlug });
        expect(await rowsOf(id)).toHaveLength(1);
      } finally {
        await queue.resume(true);
      }
    });

    it('by 50 concurrent requests is deleted once, and one job removes its row', async () => {
      const { id: userId, token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      const statuses = (await times(50, () => remove(id, token))).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 404)]);
      await waitUntil(async () => (await rowsOf(id)).length === 0);
      const jobs = () =>
        test.dataSource.query<{ status: string }[]>(
          "SELECT * FROM jobs WHERE payload->>'applicationId' = $1",
          [id],
        );
      await waitUntil(async () => (await jobs()).every(({ status }) => status === 'completed'));
      expect(await jobs()).toEqual([
        expect.objectContaining({
          name: 'application.purge',
          requested_by_id: userId,
          requested_by_type: 'user',
        }),
      ]);
    });

    it('during an update remains deleted', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      const changes = OPERATIONS.filter(({ method }) => method === 'PATCH');
      const [deleted, ...changed] = await Promise.all([
        remove(id, token),
        ...Array.from({ length: 15 }, (_, i) => ask(id, changes[i % changes.length]!, token)),
      ]);
      expect(deleted.status).toBe(200);
      for (const { status } of changed) expect([200, 404]).toContain(status);
      expect((await get(id, token)).status).toBe(404);
      await waitUntil(async () => (await rowsOf(id)).length === 0);
    });

    it('does not affect resources of other owners', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      const other = await makeUser(test);
      const kept = await makeApplication(test, other.token);
      await remove(id, token);
      await waitUntil(async () => (await rowsOf(id)).length === 0);
      expect((await get(kept.id, other.token)).body).toEqual(kept);
    });
  });
});
