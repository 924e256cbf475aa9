import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { demandAddress } from '../../../lib/mail/addresses.js';
import type { Author } from '../../../platform/audit/author.js';
import { hashPassword } from '../../../lib/crypto/passwords.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { parseId } from '../../../platform/lists/list-query.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
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
  ): Promise<Stored<ExperienceUser>> {
    const { experienceGroupIds = [], ...given } = post;
    const row = { userTags: {}, ...(await rowOf(given)) };
    if (experienceGroupIds.length === 0) return this.users.addTo(application, row, by);
    return this.database.transaction(async (transaction) => {
      const added = await this.users.addTo(application, row, by, transaction);
      return this.withGroups(application.id, added.text('id')!, experienceGroupIds, transaction);
    });
  }

  get(applicationId: string, id: string): Promise<Stored<ExperienceUser>> {
    return this.users.obtain(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ExperienceUserPatch,
    by: Author,
  ): Promise<Stored<ExperienceUser>> {
    const { experienceGroupIds, ...given } = patch;
    const changes = await rowOf(given);
    if (!experienceGroupIds) return this.users.change(applicationId, id, changes, by);
    return this.database.transaction(async (transaction) => {
      await this.users.change(applicationId, id, changes, by, transaction);
      return this.withGroups(applicationId, id, experienceGroupIds, transaction);
    });
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.users.drop(applicationId, id, by);
    return new Success();
  }

  private async withGroups(
    applicationId: string,
    id: string,
    groupIds: readonly string[],
    transaction: Transaction,
  ): Promise<Stored<ExperienceUser>> {
    await this.links.setGroups(
      'users',
      { applicationId, id, ids: groupIds, at: 'experienceUser.experienceGroupIds' },
      transaction,
    );
    return this.users.reread(applicationId, id, transaction);
  }
}

/** Returns the columns to store: the email address in canonical form, and the password hash instead of the password. */
async function rowOf(
  given: Omit<ExperienceUserPatch, 'experienceGroupIds'>,
): Promise<Changes<ExperienceUser>> {
  const { email, password, ...rest } = given;
  checkTags(rest.userTags, 'experienceUser.userTags');
  return {
    ...rest,
    ...(email === undefined ? {} : { email: demandAddress(email, 'experienceUser.email') }),
    ...(password === undefined
      ? {}
      : { passwordHash: await hashPassword(password), passwordLastUpdated: new Date() }),
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
