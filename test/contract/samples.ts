import { Application } from '../../src/modules/applications/applications/application.resource.js';
import { Instance } from '../../src/modules/accounts/instances/instance.resource.js';
import { InstanceMember } from '../../src/modules/accounts/instance-members/instance-member.resource.js';
import { Org, OrgMember } from '../../src/modules/accounts/orgs/org.resource.js';
import { AccessCache } from '../../src/platform/access/access-cache.js';
import { Job } from '../../src/platform/jobs/job.entity.js';
import { newId } from '../../src/platform/repositories/resource.js';
import type { TestApp } from '../setup/app.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from '../suites/hostile/operations.js';
import { Schemas } from '../suites/hostile/schemas.js';
import { homeInstance, unique, type TestUser } from '../make/make.js';
import { ATTEMPTS, BODIES, type Body } from './sample-bodies.js';
import { MAKERS, ORG } from './sample-rows.js';

/** A request that works, to send with the token of whom it was made for. */
export interface SampleRequest {
  path: string;
  body?: unknown;
}

/**
 * Requests that work, for each operation of the document: rows that the ids in its path can name and a body that fits
 * them. Rows are made when they are first needed, through the API itself: the row of `/a/{x}/b/{y}` is what
 * `POST /a/{x}/b` answers, so a family whose collection has a POST needs nothing here.
 */
export class Samples {
  private readonly made = new Map<string, Promise<string>>();

  constructor(
    readonly test: TestApp,
    /** Whose rows they are: with the token of a session that may do everything. */
    readonly user: TestUser,
    /** Where their application is: in an organization of theirs, or in their sandbox. */
    private readonly applicationsIn: 'organization' | 'sandbox' = 'sandbox',
    private readonly schemas = new Schemas(test.document),
    private readonly targets = targetsOf(test.document),
  ) {}

  /** The same for another user. */
  of(user: TestUser, applicationsIn?: 'organization' | 'sandbox'): Samples {
    return new Samples(this.test, user, applicationsIn, this.schemas, this.targets);
  }

  /** The ids for a path of the document, by their names there. */
  async idsOf(path: string): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const prefix of prefixesOf(path)) ids[idsIn(prefix).at(-1)!] = await this.idOf(prefix);
    return ids;
  }

  /** The id of the row that a path ends with. */
  idOf(path: string): Promise<string> {
    let id = this.made.get(path);
    if (!id) this.made.set(path, (id = this.make(path)));
    return id;
  }

  /** A good request of an operation; `caller` is who will send it. */
  async requestFor(target: Target, caller = this.user): Promise<SampleRequest> {
    const path = filled(target.path, await this.idsOf(target.path));
    const { body, query = requiredQuery(target.query, this.schemas) } =
      (await BODIES[target.id]?.(this, caller)) ?? this.bodyOf(target);
    return { path: query ? `${path}?${query}` : path, body };
  }

  /** A request with a valid body and query for a refused caller. It creates no row. */
  async attemptOf(target: Target): Promise<SampleRequest> {
    const path = filled(target.path, await this.idsOf(target.path));
    const query = requiredQuery(target.query, this.schemas);
    const body = ATTEMPTS[target.id]?.() ?? this.bodyOf(target);
    return { path: query ? `${path}?${query}` : path, ...body };
  }

  /** Sends a request as the user whose rows these are. */
  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const answer = await this.test.client.request(method, path, { body, token: this.user.token });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async post(path: string, body: unknown): Promise<any> {
    return (await this.send('POST', path, body)).body;
  }

  // The rows that nearly everything stands on are inserted, which takes a fraction of the time.

  /** An organization of which the user is admin from their next request on. */
  async insertOrg(): Promise<string> {
    const { user, test } = this;
    const { manager } = test.dataSource;
    const row = { ...dated(), instanceId: await homeInstance(test), isReadOnly: false };
    await manager.insert(Org, row);
    const { id: orgId, creationDate } = row;
    await manager.insert(OrgMember, { orgId, userId: user.id, role: 'admin', creationDate });
    await test.app.get(AccessCache).drop(user.id);
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

  /** A job that no worker takes; its id in the log. */
  async insertJob(applicationId: string): Promise<string> {
    const logId = newId();
    const now = new Date();
    const times = { creationDate: now, lastUpdated: now, dueAt: now, startedAt: now, completedAt: now };
    await this.test.dataSource.manager.insert(Job, {
      ...times,
      id: unique('job'),
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

  /** An instance that nobody else is in, and of which the user is administrator from their next request on. */
  async insertInstance(): Promise<string> {
    const { user, test } = this;
    const row = { ...dated(), allowAuditLogging: true };
    await test.dataSource.manager.insert(Instance, row);
    await test.dataSource.manager.insert(InstanceMember, {
      instanceId: row.id,
      userId: user.id,
      role: 'admin',
    });
    await test.app.get(AccessCache).drop(user.id);
    return row.id;
  }

  private bodyOf({ body, example }: Target): Body {
    return body ? { body: example ?? this.schemas.sample(body) } : {};
  }

  private async make(path: string): Promise<string> {
    const own = path.slice(0, path.lastIndexOf('/'));
    const ids = await this.idsOf(own);
    const maker = MAKERS[path];
    if (maker) return maker(this, ids);
    const post = this.targets.find((target) => target.method === 'POST' && target.path === own);
    if (!post?.body) throw new Error(`${path} has no POST ${own} that makes one: give it a maker`);
    const { path: collection, body } = await this.requestFor(post);
    const made = await this.post(collection, body);
    return made[idsIn(path).at(-1)!] ?? made.id;
  }
}

/** `/a/{x}/b/{y}/c` has `/a/{x}` and `/a/{x}/b/{y}`. */
function prefixesOf(path: string): string[] {
  return [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1));
}

function dated() {
  const now = new Date();
  return { id: newId(), name: unique(), creationDate: now, lastUpdated: now };
}
