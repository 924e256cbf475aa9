import losant from 'losant-rest';
import type { TestApp } from '../../setup/app.js';
import { makeUser, type TestUser } from '../../make/make.js';

type Action = (parameters?: object) => Promise<any>;

/** The published client: resources, with their actions. */
export type PublishedClient = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/** Operations that the published client knows by another name than the document does. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = {
  'auth.authenticateUserGithub': 'auth.authenticateUserCodehost',
};

/**
 * The published client on this platform. Others wrote it against another server, so it shares no mistake with this
 * code. Successful operations are recorded.
 */
export class Published {
  readonly driven = new Set<string>();

  constructor(readonly test: TestApp) {}

  /** A client that has a token, or none. */
  client(accessToken?: string): PublishedClient {
    const resources = resourcesOf({ url: this.test.client.url, accessToken });
    return Object.fromEntries(
      resources.map(([resource, actions]) => [resource, this.noted(resource, actions)]),
    );
  }

  /** A user, and a client that signed in as them. */
  async signedIn(): Promise<{ user: TestUser; api: PublishedClient }> {
    const user = await makeUser(this.test);
    const { email, password } = user;
    const { token } = await this.client().auth!.authenticateUser!({ credentials: { email, password } });
    return { user, api: this.client(token) };
  }

  /** The operations of the document that the client has. */
  operations(): string[] {
    const known = new Set(
      Object.values(this.test.document.paths).flatMap((item) =>
        Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) =>
          operationId.replace('_', '.'),
        ),
      ),
    );
    return resourcesOf({ url: '' })
      .flatMap(([resource, actions]) => Object.keys(actions).map((action) => `${resource}.${action}`))
      .map((name) => NAMED_OTHERWISE[name] ?? name)
      .filter((name) => known.has(name));
  }

  private noted(resource: string, actions: Record<string, Action>): Record<string, Action> {
    return Object.fromEntries(
      Object.entries(actions).map(([action, call]) => [
        action,
        async (parameters?: object) => {
          const answer: unknown = await call(parameters);
          const name = `${resource}.${action}`;
          this.driven.add(NAMED_OTHERWISE[name] ?? name);
          return answer;
        },
      ]),
    );
  }
}

/** Resources of a client with their actions, without its other members. */
function resourcesOf(options: { url: string; accessToken?: string }): [string, Record<string, Action>][] {
  return Object.entries(losant.createClient(options)).flatMap(([name, member]) =>
    typeof member === 'object' ? [[name, member] as [string, Record<string, Action>]] : [],
  );
}
