import type { TestApp } from '../setup/app.js';
import type { Answer } from '../contract/client.js';
import { makeOrg, makeUser, type TestUser } from './make.js';

/** An owner of applications. */
export interface Owner {
  id: string;
  type: 'user' | 'organization';
}

export const org = (id: string): Owner => ({ id, type: 'organization' });
export const user = (id: string): Owner => ({ id, type: 'user' });

/** Operations of transfer suites, on the app that `current` returns. */
export function transfersIn(current: () => TestApp) {
  return {
    transfer(
      token: string,
      from: Owner,
      to: Owner,
      applicationIds: string[],
      more: object = {},
    ): Promise<Answer> {
      const path = from.type === 'user' ? '/me' : `/orgs/${from.id}`;
      const body = { destinationId: to.id, destinationType: to.type, applicationIds, ...more };
      return current().client.patch(`${path}/transferResources`, body, { token });
    },

    async ownerOf(applicationId: string): Promise<Owner> {
      const text = 'SELECT owner_id AS id, owner_type AS type FROM applications WHERE id = $1';
      return (await current().dataSource.query(text, [applicationId]))[0];
    },

    /** Creates a user who administers two organizations. */
    async makeAdmin(): Promise<TestUser & { one: Owner; two: Owner; sandbox: Owner }> {
      const admin = await makeUser(current());
      const [one, two] = [await makeOrg(current(), admin.token), await makeOrg(current(), admin.token)];
      return { ...admin, one: org(one.id), two: org(two.id), sandbox: user(admin.id) };
    },

    /** Creates a token of the application itself with the token of a permitted caller. */
    async makeApplicationToken(applicationId: string, token: string): Promise<string> {
      const path = `/applications/${applicationId}/tokens`;
      const wanted = { name: 'own', scope: ['all.Application'] };
      const answer = await current().client.post(path, wanted, { token });
      if (answer.status !== 201) throw new Error(`Could not create a token: ${JSON.stringify(answer.body)}`);
      return answer.body.token;
    },
  };
}
