import type { OpenAPIObject } from '@nestjs/swagger';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Exchange } from '../contract/client.js';
import type { TestUser } from '../make/make.js';
import type { Platform } from '../setup/platform.js';
import { Created } from './created.js';
import { remoteSamples } from './remote-samples.js';
import { REMOTE, type Credentials } from './settings.js';

/** A platform that runs elsewhere. */
export class DeployedPlatform implements Platform {
  readonly created = new Created();
  readonly samples = remoteSamples(this);
  readonly client: Client;
  private readonly sessions = new Map<string, Promise<TestUser>>();

  constructor(readonly document: OpenAPIObject) {
    mkdirSync(REMOTE.folder, { recursive: true });
    this.client = new Client(REMOTE.url, document, { report: (exchange) => this.note(exchange) });
  }

  /** The account that owns what the tests create. */
  user(): Promise<TestUser> {
    return this.signIn(REMOTE.user);
  }

  anotherUser(): Promise<TestUser> {
    if (!REMOTE.other) throw new Error('This test needs API_OTHER_EMAIL and API_OTHER_PASSWORD');
    return this.signIn(REMOTE.other);
  }

  async administrator(): Promise<TestUser & { instanceId: string }> {
    if (!REMOTE.administrator) throw new Error('This test needs API_ADMIN_EMAIL and API_ADMIN_PASSWORD');
    const user = await this.signIn(REMOTE.administrator);
    const { body } = await this.client.get('/instances', { token: user.token });
    return { ...user, instanceId: body.items[0].id };
  }

  /** Signs in once for each account. */
  private signIn({ email, password }: Credentials): Promise<TestUser> {
    let session = this.sessions.get(email);
    if (!session) this.sessions.set(email, (session = this.openSession({ email, password })));
    return session;
  }

  private async openSession(account: Credentials): Promise<TestUser> {
    const { status, body } = await this.client.post('/auth/user', account);
    if (status !== 200) throw new Error(`${account.email} cannot sign in: ${JSON.stringify(body)}`);
    const { body: me } = await this.client.get('/me', { token: body.token });
    return { id: me.id, ...account, token: body.token };
  }

  private note(exchange: Exchange): void {
    this.created.note(exchange);
    const { operation, answer, ms } = exchange;
    const line = JSON.stringify({ operation, status: answer.status, ms: Math.round(ms) });
    appendFileSync(join(REMOTE.folder, 'exchanges.jsonl'), `${line}\n`);
  }
}

let document: Promise<OpenAPIObject> | undefined;
let platform: Promise<DeployedPlatform> | undefined;

/** Fetches the document of the deployed platform once. */
export function deployedDocument(): Promise<OpenAPIObject> {
  return (document ??= fetch(`${REMOTE.url}/openapi.json`).then((response) => {
    if (!response.ok) throw new Error(`${response.url} returned ${response.status}`);
    return response.json() as Promise<OpenAPIObject>;
  }));
}

/** Returns the platform at `API_URL`, whose sessions all suites of this process share. */
export function deployedPlatform(): Promise<DeployedPlatform> {
  return (platform ??= deployedDocument().then((declared) => new DeployedPlatform(declared)));
}
