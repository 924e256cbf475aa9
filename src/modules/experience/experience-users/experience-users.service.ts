import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { parseAddress } from '../../../lib/mail/addresses.js';
import type { Author } from '../../../platform/audit/author.js';
import { experiencePasswords } from '../../../lib/crypto/passwords.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { parseId } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { GroupLinksRepository } from '../experience-groups/group-links.repository.js';
import { checkTags } from '../experience-groups/experience-tags.js';
import type { ExperienceUser, ExperienceUserPatch, ExperienceUserPost } from './experience-user.resource.js';
import type { ExperienceUsersQuery } from './experience-users.query.js';
import { ExperienceUsersRepository, type GroupFilter } from './experience-users.repository.js';

/** Manages the users of experiences. */
@Injectable()
export class ExperienceUsersService {
  constructor(
    private readonly users: ExperienceUsersRepository,
    private readonly links: GroupLinksRepository,
    private readonly database: Database,
  ) {}

  list(
    application: ApplicationAccess,
    { list, ...query }: ExperienceUsersQuery,
  ): Promise<StoredPage<ExperienceUser>> {
    return this.users.pageBy(application, list, filterOf(query));
  }

  async create(
    application: ApplicationAccess,
    post: ExperienceUserPost,
    by: Author,
  ): Promise<StoredResource<ExperienceUser>> {
    const { experienceGroupIds = [], ...given } = post;
    const row = { userTags: {}, ...(await rowOf(application.ownerId, given)) };
    if (experienceGroupIds.length === 0) return this.users.addToApplication(application, row, by);
    return this.database.transaction(async (transaction) => {
      const added = await this.users.addToApplication(application, row, by, transaction);
      return this.withGroups(application.id, added.text('id')!, experienceGroupIds, transaction);
    });
  }

  get(applicationId: string, id: string): Promise<StoredResource<ExperienceUser>> {
    return this.users.findOneOrFail(applicationId, id);
  }

  async patch(
    { id: applicationId, ownerId }: ApplicationAccess,
    id: string,
    patch: ExperienceUserPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceUser>> {
    const { experienceGroupIds, ...given } = patch;
    const changes = await rowOf(ownerId, given);
    if (!experienceGroupIds) return this.users.update(applicationId, id, changes, by);
    return this.database.transaction(async (transaction) => {
      await this.users.update(applicationId, id, changes, by, transaction);
      return this.withGroups(applicationId, id, experienceGroupIds, transaction);
    });
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.users.delete(applicationId, id, by);
    return new Success();
  }

  private async withGroups(
    applicationId: string,
    id: string,
    groupIds: readonly string[],
    transaction: Transaction,
  ): Promise<StoredResource<ExperienceUser>> {
    await this.links.setGroups(
      'users',
      { applicationId, id, ids: groupIds, fieldPath: 'experienceUser.experienceGroupIds' },
      transaction,
    );
    return this.users.reload(applicationId, id, transaction);
  }
}

/** Returns the columns to store: the email address in canonical form, and the password hash instead of the password. */
async function rowOf(
  ownerId: string,
  given: Omit<ExperienceUserPatch, 'experienceGroupIds'>,
): Promise<Changes<ExperienceUser>> {
  const { email, password, ...rest } = given;
  checkTags(rest.userTags, 'experienceUser.userTags');
  return {
    ...rest,
    ...(email === undefined ? {} : { email: parseAddress(email, 'experienceUser.email') }),
    ...(password === undefined
      ? {}
      : { passwordHash: await experiencePasswords.hash(ownerId, password), passwordLastUpdated: new Date() }),
  };
}

function filterOf({
  experienceGroupId,
  includeAncestorGroups,
}: Pick<ExperienceUsersQuery, 'experienceGroupId' | 'includeAncestorGroups'>): GroupFilter | undefined {
  if (experienceGroupId === undefined || experienceGroupId === 'any' || experienceGroupId === 'none')
    return experienceGroupId;
  return {
    groupId: parseId('experienceGroupId', experienceGroupId),
    withAncestors: includeAncestorGroups,
  };
}
