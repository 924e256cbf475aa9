import losant from 'losant-rest';
import type { TestApp } from '../setup/app.js';
import { makeUser, type TestUser } from '../make/make.js';

type Action = (parameters?: object) => Promise<any>;

/** The published client: resources with their actions. */
export type PublishedClient = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/** What a family's `<name>.published.ts` exports. */
export interface PublishedFile {
  /** Adds the tests that drive the family's operations. */
  drive(published: Published): void;
  /** Starts doubles before the platform starts and adds their addresses to `env`; returns what stops them. */
  prepare?(env: Record<string, string>): Promise<() => unknown>;
}

/** Operations whose names in the published client and in the document differ. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = {
  'auth.authenticateUserGithub': 'auth.authenticateUserCodehost',
};

/**
 * The published client, used against the platform. It was written by others for another server, so it is an independent
 * check that does not share the platform's errors. Successful operations are recorded.
 */
export class Published {
  readonly driven = new Set<string>();

  constructor(readonly test: TestApp) {}

  /** Returns a client with or without a token. */
  client(accessToken?: string): PublishedClient {
    const resources = resourcesOf({ url: this.test.client.url, accessToken });
    return Object.fromEntries(
      resources.map(([resource, actions]) => [resource, this.noted(resource, actions)]),
    );
  }

  /** Creates a user and a client signed in as that user. */
  async signedIn(): Promise<{ user: TestUser; api: PublishedClient }> {
    const user = await makeUser(this.test);
    const { email, password } = user;
    const { token } = await this.client().auth!.authenticateUser!({ credentials: { email, password } });
    return { user, api: this.client(token) };
  }

  /** Returns the operations of the document that the client supports. */
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

/** Returns the resources and actions of a client, without its other properties. */
function resourcesOf(options: { url: string; accessToken?: string }): [string, Record<string, Action>][] {
  return Object.entries(losant.createClient(options)).flatMap(([name, member]) =>
    typeof member === 'object' ? [[name, member] as [string, Record<string, Action>]] : [],
  );
}
