import type { TestApp } from '../setup/app.js';
import { makeInstanceMember, uniqueName, type TestUser } from './make.js';

/** Operations of suites over the organizations of an instance, by an administrator made before the first test. */
export function instanceOrgsIn(test: TestApp) {
  const admin = {} as TestUser & { instanceId: string };
  beforeAll(async () => Object.assign(admin, await makeInstanceMember(test, 'admin')));
  const path = (id = '') => `/instances/${admin.instanceId}/orgs${id && `/${id}`}`;
  const create = (body: object, token = admin.token) => test.client.post(path(), body, { token });
  return {
    admin,
    create,
    get: (id: string, token = admin.token) => test.client.get(path(id), { token }),
    patch: (id: string, body: unknown, token = admin.token) => test.client.patch(path(id), body, { token }),
    remove: (id: string, token = admin.token) => test.client.delete(path(id), { token }),

    async make(body: object = {}): Promise<any> {
      const answer = await create({ name: uniqueName('org'), ...body });
      expect(answer.status).toBe(200);
      return answer.body;
    },

    /** Returns the audit entries of an organization's operations, oldest first. */
    entriesOf: (table: 'audit_logs' | 'instance_audit_logs', orgId: string): Promise<any[]> =>
      test.dataSource.query(
        `SELECT request_action, primary_target_type, primary_target_id, primary_target_name, actor_id, request_body
         FROM ${table} WHERE request_resource IN ('instanceOrg', 'instanceOrgs')
           AND (response_body->>'id') = $1 ORDER BY creation_date, id`,
        [orgId],
      ),
  };
}
