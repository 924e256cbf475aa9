import { Job } from '../../src/platform/jobs/job.entity.js';
import type { JobContext } from '../../src/platform/jobs/on-job.js';
import { User } from '../../src/modules/accounts/users/user.entity.js';
import { UsersJobs } from '../../src/modules/accounts/users/users.jobs.js';
import type { TestApp } from '../setup/app.js';
import { makeInstanceMember, type TestUser } from './make.js';

/** Operations of suites over the users of an instance, by an administrator made before the first test. */
export function sandboxesIn(test: TestApp, other: TestApp) {
  const admin = {} as TestUser & { instanceId: string };
  beforeAll(async () => Object.assign(admin, await makeInstanceMember(test, 'admin')));
  const path = (id: string) => `/instances/${admin.instanceId}/sandboxes/${id}`;
  return {
    admin,
    path,
    get: (id: string, token = admin.token, query = '') => test.client.get(path(id) + query, { token }),
    remove: (id: string, token = admin.token) => test.client.delete(path(id), { token }),
    undelete: (id: string, token = admin.token, query = '') =>
      test.client.patch(`${path(id)}/undelete${query}`, undefined, { token }),

    /** Returns the status from each process, the second one first because it only learns of changes through messages. */
    async statusesOf(url: string, token: string): Promise<number[]> {
      const statuses = [];
      for (const { client } of [other, test]) statuses.push((await client.get(url, { token })).status);
      return statuses;
    },

    rowOf: (id: string) => test.dataSource.manager.findOneBy(User, { id }),
    jobsOf: (userId: string): Promise<Job[]> =>
      test.dataSource.manager
        .createQueryBuilder(Job, 'j')
        .where(`j.name = 'user.purge' AND j.payload->>'userId' = :userId`, { userId })
        .getMany(),
    purge: (userId: string) =>
      test.app.get(UsersJobs).purge({ userId }, { signal: new AbortController().signal } as JobContext),
  };
}
