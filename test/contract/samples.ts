import { Application } from '../../src/modules/applications/applications/application.resource.js';
import { Instance } from '../../src/modules/accounts/instances/instance.resource.js';
import { InstanceMember } from '../../src/modules/accounts/instance-members/instance-member.resource.js';
import { Org, OrgMember } from '../../src/modules/accounts/orgs/org.resource.js';
import { AccessCache } from '../../src/platform/access/access-cache.js';
import { Job } from '../../src/platform/jobs/job.entity.js';
import { newId } from '../../src/platform/repositories/resource.js';
import type { TestApp } from '../setup/app.js';
import type { Platform } from '../setup/platform.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from '../suites/hostile/operations.js';
import { Schemas } from '../suites/hostile/schemas.js';
import { defaultInstance, uniqueName, type TestUser } from '../make/make.js';
import { familyFiles } from '../setup/family-files.js';
import { APPLICATION, ORG } from './sample-paths.js';

/** What a request has beside the ids in its path. */
export interface Body {
  body?: unknown;
  query?: string;
}

/** Bodies by operation, for those that the example in the document, or the least body, does not fit. */
export type SampleBodies = Readonly<
  Record<string, (samples: Samples, caller: TestUser) => Promise<Body> | Body>
>;
/** What callers who are refused send if the operation's body is not JSON. */
export type SampleAttempts = Readonly<Record<string, () => Body>>;
/** What creates the row that a path of the document ends with, if no POST to its collection does; returns its id. */
export type SampleRows = Readonly<
  Record<string, (samples: Samples, ids: Readonly<Record<string, string>>) => Promise<string>>
>;

/** Rows and bodies instead of those of the families. */
export interface SampleOverrides {
  rows: SampleRows;
  bodies: SampleBodies;
}

/** What a family's `<name>.samples.ts` exports. */
interface FamilySamples {
  BODIES?: SampleBodies;
  ATTEMPTS?: SampleAttempts;
  ROWS?: SampleRows;
  /** Operations that are rejected in a sandbox. */
  ORGANIZATIONS_ONLY?: readonly string[];
}

const files = await familyFiles<FamilySamples>('samples');
const BODIES: SampleBodies = Object.assign({}, ...files.map((file) => file.BODIES));
const ATTEMPTS: SampleAttempts = Object.assign({}, ...files.map((file) => file.ATTEMPTS));
/** Operations that are supported only for applications of organizations. */
export const ORGANIZATIONS_ONLY = new Set(files.flatMap((file) => file.ORGANIZATIONS_ONLY ?? []));
const ROWS: SampleRows = Object.assign({}, ...files.map((file) => file.ROWS));

/** A valid request, to be sent with the token of the caller it was created for. */
export interface SampleRequest {
  path: string;
  body?: unknown;
}

/**
 * Creates valid requests for each operation of the document: rows for the IDs in its path and a matching body. Rows are
 * created on demand through the API itself: the row of `/a/{x}/b/{y}` is the response of `POST /a/{x}/b`. Families with
 * such an operation need no code here.
 */
export class Samples {
  private readonly made = new Map<string, Promise<string>>();

  constructor(
    readonly platform: Platform,
    /** Owner of the rows, with an unrestricted session token. */
    readonly user: TestUser,
    /** Owner of the application: an organization of the user, or the sandbox. */
    private readonly applicationsIn: 'organization' | 'sandbox' = 'sandbox',
    private readonly schemas = new Schemas(platform.document),
    private readonly targets = targetsOf(platform.document),
  ) {}

  /** The platform with its database. Throws for a deployed one, which must override what uses it. */
  get test(): TestApp {
    if (!('dataSource' in this.platform)) throw new Error('This sample needs the database');
    return this.platform as TestApp;
  }

  /** Returns the same for another user. */
  of(user: TestUser, applicationsIn?: 'organization' | 'sandbox'): Samples {
    return new Samples(this.platform, user, applicationsIn, this.schemas, this.targets);
  }

  /** Returns samples in an existing application. */
  in(applicationId: string): Samples {
    const samples = this.of(this.user);
    samples.made.set(APPLICATION, Promise.resolve(applicationId));
    return samples;
  }

  /** Returns the body that a family declares for an operation, if any. */
  async declaredBody(target: Target): Promise<unknown> {
    return (await this.bodies[target.id]?.(this, this.user))?.body;
  }

  /** Returns the IDs for a path of the document, by parameter name. */
  async idsOf(path: string): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const prefix of prefixesOf(path)) ids[idsIn(prefix).at(-1)!] = await this.idOf(prefix);
    return ids;
  }

  /** Returns the ID of the last row in a path. */
  idOf(path: string): Promise<string> {
    let id = this.made.get(path);
    if (!id) this.made.set(path, (id = this.make(path)));
    return id;
  }

  /** Returns a valid request of an operation; `caller` sends it. */
  async requestFor(target: Target, caller = this.user): Promise<SampleRequest> {
    const path = filled(target.path, await this.idsOf(target.path));
    const { body, query = requiredQuery(target.query, this.schemas) } =
      (await this.bodies[target.id]?.(this, caller)) ?? this.bodyOf(target);
    return { path: query ? `${path}?${query}` : path, body };
  }

  /** Returns a request with a valid body and query for callers that are rejected, without creating rows. */
  async attemptOf(target: Target): Promise<SampleRequest> {
    const path = filled(target.path, await this.idsOf(target.path));
    const query = requiredQuery(target.query, this.schemas);
    const body = ATTEMPTS[target.id]?.() ?? this.bodyOf(target);
    return { path: query ? `${path}?${query}` : path, ...body };
  }

  /** Sends a request as the owner of the rows. */
  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const answer = await this.platform.client.request(method, path, { body, token: this.user.token });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async post(path: string, body: unknown): Promise<any> {
    return (await this.send('POST', path, body)).body;
  }

  // Frequently used rows are inserted by SQL, which is much faster.

  /** Creates an organization with the user as admin. */
  async insertOrg(): Promise<string> {
    const { user, test } = this;
    const { manager } = test.dataSource;
    const row = { ...dated(), instanceId: await defaultInstance(test), isReadOnly: false };
    await manager.insert(Org, row);
    const { id: orgId, creationDate } = row;
    await manager.insert(OrgMember, { orgId, userId: user.id, role: 'admin', creationDate });
    await test.app.get(AccessCache).evict(user.id);
    return orgId;
  }

  async insertApplication(): Promise<string> {
    const inOrganization = this.applicationsIn === 'organization';
    const owner = inOrganization
      ? { ownerId: await this.idOf(ORG), ownerType: 'organization' as const }
      : { ownerId: this.user.id, ownerType: 'user' as const };
    const row = { ...dated(), ...owner };
    await this.test.dataSource.manager.insert(Application, row);
    return row.id;
  }

  /** Creates a job that no worker takes, and returns its ID in the log. */
  async insertJob(applicationId: string): Promise<string> {
    const logId = newId();
    const now = new Date();
    const times = { creationDate: now, lastUpdated: now, dueAt: now, startedAt: now, completedAt: now };
    await this.test.dataSource.manager.insert(Job, {
      ...times,
      id: uniqueName('job'),
      name: 'data.export',
      payload: {},
      status: 'failed',
      applicationId,
      logId,
      operation: 'data.export',
      resourceType: 'device',
    });
    return logId;
  }

  /** Creates an instance with the user as its only member and admin. */
  async insertInstance(): Promise<string> {
    const { user, test } = this;
    const row = { ...dated(), allowAuditLogging: true };
    await test.dataSource.manager.insert(Instance, row);
    await test.dataSource.manager.insert(InstanceMember, {
      instanceId: row.id,
      userId: user.id,
      role: 'admin',
    });
    await test.app.get(AccessCache).evict(user.id);
    return row.id;
  }

  private get bodies(): SampleBodies {
    return { ...BODIES, ...this.platform.samples?.bodies };
  }

  private bodyOf({ body, example }: Target): Body {
    return body ? { body: example ?? this.schemas.sample(body) } : {};
  }

  private async make(path: string): Promise<string> {
    const own = path.slice(0, path.lastIndexOf('/'));
    const ids = await this.idsOf(own);
    const maker = this.platform.samples?.rows[path] ?? ROWS[path];
    if (maker) return maker(this, ids);
    const post = this.targets.find((target) => target.method === 'POST' && target.path === own);
    if (!post?.body) throw new Error(`${path} has no POST ${own} that creates one: add a function for it`);
    const { path: collection, body } = await this.requestFor(post);
    // A test may have used the name of the example before.
    const isNamed = !(post.id in this.bodies) && typeof (body as { name?: unknown }).name === 'string';
    const made = await this.post(collection, isNamed ? { ...(body as object), name: uniqueName() } : body);
    return made[idsIn(path).at(-1)!] ?? made.id;
  }
}

/** Returns `/a/{x}` and `/a/{x}/b/{y}` for `/a/{x}/b/{y}/c`. */
function prefixesOf(path: string): string[] {
  return [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1));
}

function dated() {
  const now = new Date();
  return { id: newId(), name: uniqueName(), creationDate: now, lastUpdated: now };
}
