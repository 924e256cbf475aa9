import type { TestApp } from '../setup/app.js';
import type { Platform } from '../setup/platform.js';
import type { Answer } from '../contract/client.js';
import type { Role } from '../../src/platform/operations/operation.js';
import { makeApplication, makeMember, makeOrg, makeUser, uniqueName, type TestUser } from './make.js';

export const HOUR = 3_600_000;
/** An ID that does not exist. */
export const UNKNOWN = '0123456789abcdef01234567';

export const futureDate = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Operations on the API tokens of an owner; each takes the caller's token. */
export interface ApiTokenCalls {
  path: (id: string) => string;
  list: (token: string, query?: string) => Promise<Answer>;
  create: (token: string, body?: object) => Promise<Answer>;
  /** Returns the created token from the response. */
  make: (token: string, body?: object) => Promise<any>;
  get: (token: string, id: string) => Promise<Answer>;
  patch: (token: string, id: string, body: unknown) => Promise<Answer>;
  remove: (token: string, id: string) => Promise<Answer>;
}

/**
 * Returns the operations for the caller's own tokens, or for those of `owner`, such as `/applications/…`. `test` is a
 * function because the app starts before the tests.
 */
export function apiTokenCalls(test: () => Platform, owner = '/me'): ApiTokenCalls {
  const all = `${owner}/tokens`;
  const path = (id: string) => `${all}/${id}`;
  const create = (token: string, body: object = {}) =>
    test().client.post(all, { name: uniqueName('token'), ...body }, { token });
  return {
    path,
    create,
    list: (token, query = '') => test().client.get(all + query, { token }),
    async make(token, body) {
      const answer = await create(token, body);
      if (answer.status !== 201)
        throw new Error(`Could not create an API token: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    get: (token, id) => test().client.get(path(id), { token }),
    patch: (token, id, body) => test().client.patch(path(id), body, { token }),
    remove: (token, id) => test().client.delete(path(id), { token }),
  };
}

/** Creates an API token of a user with these scopes, and returns its text. */
export async function scopedToken(test: Platform, user: TestUser, scope: readonly string[]): Promise<string> {
  return (await apiTokenCalls(() => test).make(user.token, { scope })).token;
}

/** Returns operations for suites over the tokens of applications. */
export function applicationTokensIn(test: TestApp) {
  const tokensOf = (applicationId: string) => apiTokenCalls(() => test, `/applications/${applicationId}`);

  /** Creates a user with an application in their sandbox, and returns the calls for its tokens. */
  async function sandboxed() {
    const user = await makeUser(test);
    const application = await makeApplication(test, user.token);
    return { user, application, ...tokensOf(application.id) };
  }

  /** Creates an organization with an application, and returns a function that adds members. */
  async function organized() {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const application = await makeApplication(test, admin.token, { orgId: org.id });
    const member = (role: Role) => makeMember(test, org.id, role);
    return { admin, org, application, member, ...tokensOf(application.id) };
  }
  return { tokensOf, sandboxed, organized };
}
