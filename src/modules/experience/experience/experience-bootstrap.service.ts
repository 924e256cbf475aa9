import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { randomToken, sha256 } from '../../../lib/crypto/hashes.js';
import { experiencePasswords } from '../../../lib/crypto/passwords.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { checkSlug } from '../../applications/applications/application.rules.js';
import { validateEndpoint, ENDPOINT_DEFAULTS } from '../experience-endpoints/endpoint.rules.js';
import type { ExperienceReply } from '../experience-versions/experience.schemas.js';
import { ExperienceEndpointsRepository } from '../experience-endpoints/experience-endpoints.repository.js';
import { ExperienceGroupsRepository } from '../experience-groups/experience-groups.repository.js';
import { GroupLinksRepository } from '../experience-groups/group-links.repository.js';
import { ExperienceSlugsRepository } from '../experience-slugs/experience-slugs.repository.js';
import { ExperienceUsersRepository } from '../experience-users/experience-users.repository.js';
import { ExperienceVersionsRepository } from '../experience-versions/experience-versions.repository.js';
import { ExperienceViewsRepository } from '../experience-views/experience-views.repository.js';
import { ExperienceFlowsService } from '../../flows/flows/experience-flows.service.js';
import { FlowsService } from '../../flows/flows/flows.service.js';
import { demoExperience, type DemoEndpoint, type DemoExperience, type DemoReply } from './demo-experience.js';
import { ExperienceRepository } from './experience.repository.js';
import type { ExperienceBootstrapOptions, ExperienceBootstrapResult } from './experience.resource.js';

const PASSWORD_BYTES = 12;
const SUFFIX_LENGTH = 6;

/** Author, application and transaction of a bootstrap. */
interface BootstrapContext {
  application: ApplicationAccess;
  by: Author;
  transaction: Transaction;
}

/** Creates an example experience atomically. */
@Injectable()
export class ExperienceBootstrapService {
  constructor(
    private readonly rows: ExperienceRepository,
    private readonly views: ExperienceViewsRepository,
    private readonly endpoints: ExperienceEndpointsRepository,
    private readonly groups: ExperienceGroupsRepository,
    private readonly links: GroupLinksRepository,
    private readonly users: ExperienceUsersRepository,
    private readonly slugs: ExperienceSlugsRepository,
    private readonly versions: ExperienceVersionsRepository,
    private readonly flows: FlowsService,
    private readonly experienceFlows: ExperienceFlowsService,
    private readonly database: Database,
  ) {}

  async bootstrap(
    application: ApplicationAccess,
    options: ExperienceBootstrapOptions,
    by: Author,
  ): Promise<ExperienceBootstrapResult> {
    const { replaceExisting = false, createUsers = true, createGroups = true, slug } = options;
    if (slug !== undefined) checkSlug(slug, 'options.slug');
    const password = createUsers ? randomToken(PASSWORD_BYTES) : undefined;
    const passwordHash = password && (await experiencePasswords.hash(application.ownerId, password));
    return this.database.transaction(async (transaction) => {
      const maker = { application, by, transaction };
      // Serializes concurrent requests, so that the second one finds the names of the first in use.
      const develop = await this.versions.lock(application.id, application.id, transaction);
      const { demo, resourceSuffix } = await this.availableDemo(maker, replaceExisting);
      const views = await this.createViews(demo, maker);
      const endpoints = await this.createEndpoints(demo, views, maker);
      const { name, description, graph } = demo.flow;
      const flow = { name, description, flowClass: 'experience', ...graph({ endpoints, views }) } as const;
      await this.flows.create(application, flow, by, transaction);
      const userId = passwordHash && (await this.createUser(demo, passwordHash, maker));
      if (createGroups) await this.createGroup(demo, userId ? [userId] : [], maker);
      if (!develop.notFoundReply || replaceExisting) {
        const value = views.get(demo.errorPage)!;
        const notFoundReply = { type: 'page', value, statusCode: 404 } as const;
        await this.versions.update(application.id, application.id, { notFoundReply }, by, transaction);
      }
      if (slug !== undefined)
        await this.slugs.addToApplication(application, { slug, versionId: application.id }, by, transaction);
      return { resourceSuffix, ...(password ? { email: demo.user.email, password } : {}) };
    });
  }

  /** Returns the example experience with available names. */
  private async availableDemo({ application, by, transaction }: BootstrapContext, replaceExisting: boolean) {
    const demo = demoExperience('');
    const known = { ...demo, patterns: patternsOf(demo.endpoints) };
    const isTaken = await this.rows.isTaken(application.id, known, transaction, replaceExisting);
    if (replaceExisting)
      await this.experienceFlows.removeNamed(application.id, demo.flow.name, by, transaction);
    const resourceSuffix = isTaken && !replaceExisting ? `-${sha256(newId()).slice(0, SUFFIX_LENGTH)}` : '';
    return { demo: resourceSuffix ? demoExperience(resourceSuffix) : demo, resourceSuffix };
  }

  /** Creates the views and returns their IDs by name. The layout is created first. */
  private async createViews(demo: DemoExperience, maker: BootstrapContext): Promise<Map<string, string>> {
    const { application, by, transaction } = maker;
    const ids = new Map<string, string>();
    let layoutId: string | undefined;
    for (const view of demo.views) {
      const placed = view.viewType === 'page' ? { layoutId } : {};
      const row = { headers: {}, viewTags: {}, ...view, ...placed };
      const id = (await this.views.addToApplication(application, row, by, transaction)).text('id')!;
      if (view.viewType === 'layout') layoutId = id;
      ids.set(view.name, id);
    }
    return ids;
  }

  /** Creates the endpoints and returns their IDs. */
  private async createEndpoints(
    demo: DemoExperience,
    views: ReadonlyMap<string, string>,
    { application, by, transaction }: BootstrapContext,
  ): Promise<Map<DemoEndpoint['key'], string>> {
    const ids = new Map<DemoEndpoint['key'], string>();
    for (const { key, staticReply, unauthorizedReply, ...given } of demo.endpoints) {
      const row = {
        ...ENDPOINT_DEFAULTS,
        ...given,
        ...validateEndpoint(given),
        staticReply: replyOf(staticReply, views),
        unauthorizedReply: replyOf(unauthorizedReply, views),
      };
      const made = await this.endpoints.addToApplication(application, row, by, transaction);
      ids.set(key, made.text('id')!);
    }
    return ids;
  }

  private async createUser(
    { user }: DemoExperience,
    passwordHash: string,
    { application, by, transaction }: BootstrapContext,
  ): Promise<string> {
    const row = { ...user, userTags: {}, passwordHash, passwordLastUpdated: new Date() };
    return (await this.users.addToApplication(application, row, by, transaction)).text('id')!;
  }

  private async createGroup(
    { group }: DemoExperience,
    userIds: readonly string[],
    { application, by, transaction }: BootstrapContext,
  ): Promise<void> {
    const row = { ...group, groupTags: {}, deviceTags: [] };
    const id = (await this.groups.addToApplication(application, row, by, transaction)).text('id')!;
    const side = { applicationId: application.id, id, fieldPath: 'experienceGroup' };
    await this.links.setMembers('users', { ...side, ids: userIds }, transaction);
  }
}

function replyOf(
  reply: DemoReply | undefined,
  pages: ReadonlyMap<string, string>,
): ExperienceReply | undefined {
  if (!reply) return undefined;
  return 'page' in reply
    ? { type: 'page', value: pages.get(reply.page)!, statusCode: 200 }
    : { type: 'redirect', value: reply.redirect, statusCode: 302 };
}

/** Returns the methods and patterns of endpoints. */
const patternsOf = (endpoints: readonly DemoEndpoint[]): (readonly [string, string])[] =>
  endpoints.flatMap(({ method, route }) =>
    (validateEndpoint({ route }).patterns ?? []).map((pattern) => [method, pattern] as const),
  );
