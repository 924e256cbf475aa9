import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { checkGroup, assertPosition, EMPTY_GROUP } from './experience-group.rules.js';
import type {
  ExperienceGroup,
  ExperienceGroupPatch,
  ExperienceGroupPost,
} from './experience-group.resource.js';
import type { ExperienceGroupQuery } from './experience-groups.query.js';
import { ExperienceGroupsRepository } from './experience-groups.repository.js';
import { GroupDevicesRepository } from './group-devices.repository.js';
import { GroupLinksRepository, type LinkKind } from './group-links.repository.js';

/** Links of a group in a request body. */
type GroupLinks = Pick<ExperienceGroupPatch, 'experienceUserIds' | 'experienceEndpointIds' | 'deviceIds'>;

const LINKED: readonly [keyof GroupLinks, LinkKind][] = [
  ['experienceUserIds', 'users'],
  ['experienceEndpointIds', 'endpoints'],
  ['deviceIds', 'devices'],
];

/** Manages the groups of experience users. */
@Injectable()
export class ExperienceGroupsService {
  constructor(
    private readonly groups: ExperienceGroupsRepository,
    private readonly links: GroupLinksRepository,
    private readonly devices: GroupDevicesRepository,
    private readonly database: Database,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<ExperienceGroup>> {
    return this.groups.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: ExperienceGroupPost,
    by: Author,
  ): Promise<StoredResource<ExperienceGroup>> {
    checkGroup(post);
    const { links, parentId, row } = partsOf(post);
    const whole = { ...EMPTY_GROUP, ...row };
    if (!parentId && isEmpty(links)) return this.groups.addToApplication(application, whole, by);
    return this.place(application.id, parentId, undefined, async (transaction) => {
      const added = await this.groups.addToApplication(application, { ...whole, parentId }, by, transaction);
      return this.linked(application.id, added.text('id')!, links, transaction);
    });
  }

  async get(
    application: ApplicationAccess,
    id: string,
    { includeDirectDeviceCount, includeTotalDeviceCount }: ExperienceGroupQuery,
  ): Promise<StoredResource<ExperienceGroup>> {
    const group = await this.groups.findOneOrFail(application.id, id);
    const counts: Record<string, string> = {};
    if (includeDirectDeviceCount)
      counts.directDeviceCount = String(
        await this.devices.count(application, id, 'alone', 'includeDirectDeviceCount'),
      );
    if (includeTotalDeviceCount)
      counts.totalDeviceCount = String(
        await this.devices.count(application, id, 'whole', 'includeTotalDeviceCount'),
      );
    return group.withMembers(counts);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ExperienceGroupPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceGroup>> {
    checkGroup(patch);
    const { links, parentId, row } = partsOf(patch);
    if (parentId === undefined && isEmpty(links)) return this.groups.update(applicationId, id, row, by);
    return this.place(applicationId, parentId, id, async (transaction) => {
      await this.groups.update(applicationId, id, { ...row, parentId }, by, transaction);
      return this.linked(applicationId, id, links, transaction);
    });
  }

  /**
   * Moves child groups to the parent of the deleted group, so that members of ancestors keep exactly the same groups.
   */
  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.inTree(applicationId, async (transaction) => {
      await this.groups.moveUpBelow(applicationId, id, transaction);
      await this.groups.delete(applicationId, id, by, transaction);
    });
    return new Success();
  }

  /** Runs `work` after verifying that the group can be placed below `parentId`, if set. */
  private place<T>(
    applicationId: string,
    parentId: string | null | undefined,
    ownId: string | undefined,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    if (!parentId) return this.database.transaction(work);
    return this.inTree(applicationId, async (transaction) => {
      assertPosition(await this.groups.lineOf(applicationId, parentId, ownId, transaction));
      return work(transaction);
    });
  }

  /** Serializes moves of groups within an application, so that concurrent moves cannot form a cycle. */
  private inTree<T>(applicationId: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.database.queuedTransaction(applicationId, async (transaction) => {
      await this.groups.lockTree(applicationId, transaction);
      return work(transaction);
    });
  }

  private async linked(
    applicationId: string,
    id: string,
    links: GroupLinks,
    transaction: Transaction,
  ): Promise<StoredResource<ExperienceGroup>> {
    for (const [name, kind] of LINKED) {
      const ids = links[name];
      if (ids)
        await this.links.setMembers(
          kind,
          { applicationId, id, ids, fieldPath: `experienceGroup.${name}` },
          transaction,
        );
    }
    return this.groups.reload(applicationId, id, transaction);
  }
}

/** Splits a body into columns, links and the parent. */
function partsOf<Body extends ExperienceGroupPatch>(body: Body) {
  const { experienceUserIds, experienceEndpointIds, deviceIds, parentId, ...row } = body;
  return {
    links: { experienceUserIds, experienceEndpointIds, deviceIds },
    parentId: parentId?.toLowerCase() ?? parentId,
    row,
  };
}

const isEmpty = (links: GroupLinks): boolean => Object.values(links).every((ids) => ids === undefined);
