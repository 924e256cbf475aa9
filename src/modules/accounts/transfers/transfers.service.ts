import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Membership } from '../../../platform/access/memberships.js';
import { atLeast, type Principal } from '../../../platform/access/principal.js';
import { Permissions } from '../../../platform/access/permissions.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type QueuedTransaction, type Transaction } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { notYet } from '../../../platform/not-yet.js';
import type { Application } from '../../applications/applications/application.resource.js';
import {
  ApplicationsRepository,
  type ApplicationOwner,
} from '../../applications/applications/applications.repository.js';
import {
  DomainOwnersRepository,
  type OwnedDomain,
} from '../../experience/experience-domains/domain-owners.repository.js';
import { OrgsRepository } from '../orgs/orgs.repository.js';
import type { ResourceTransfer } from './resource-transfer.resource.js';

const FIELD = 'resourceTransfer';

/** Transfers applications between owners. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly orgs: OrgsRepository,
    private readonly domains: DomainOwnersRepository,
    private readonly database: Database,
    private readonly cache: AccessCache,
    private readonly permissions: Permissions,
  ) {}

  /**
   * Moves the resources in the body atomically. For an organization as the source, the role admin has already been
   * checked.
   */
  async transfer(source: ApplicationOwner, transfer: ResourceTransfer, by: Author): Promise<Success> {
    const { caller } = by;
    const destination = {
      ownerId: transfer.destinationId.toLowerCase(),
      ownerType: transfer.destinationType,
    };
    const membership = await this.assertAdmin(caller, source);
    await this.assertAdmin(caller, destination);
    if (destination.ownerId === source.ownerId)
      throw new ValidationError(`${FIELD}.destinationId is already the owner`);
    const { strict = false } = transfer;
    const [dashboardId] = notYet('dashboards', transfer.dashboardIds ?? []);
    if (strict && dashboardId !== undefined)
      throw new ValidationError(
        `${FIELD}.dashboardIds: ${dashboardId} is not a dashboard of the current owner`,
      );
    const wanted = [...new Set(transfer.applicationIds?.map((id) => id.toLowerCase()))];
    const moved = await this.database.queuedTransaction(source.ownerId, async (transaction) => {
      await this.lockOrganizations([source, destination], transaction);
      const owned = await this.applications.lockMany(source, wanted, transaction);
      const applications = assertAdminOn(owned, caller, membership);
      const ids = applications.map(({ id }) => id);
      const found = new Set(ids);
      const strange = wanted.find((id) => !found.has(id));
      if (strict && strange !== undefined)
        throw new ValidationError(
          `${FIELD}.applicationIds: ${strange} is not an application of the current owner`,
        );
      if (ids.length === 0) return [];
      assertNoArchive(applications, destination);
      await this.assertDomains(ids, destination, transaction);
      await this.applications.assertWithinLimit(destination, ids.length, transaction);
      await this.applications.transfer(ids, source, destination, transaction);
      await logTransfers(transaction, by, applications, [source, destination], transfer);
      return ids;
    });
    await this.cache.evict(moved);
    return new Success();
  }

  /** Returns the caller's membership if the owner is an organization. Sandboxes of other users return 404. */
  private async assertAdmin(
    caller: Principal,
    { ownerId, ownerType }: ApplicationOwner,
  ): Promise<Membership | undefined> {
    if (ownerType === 'organization')
      return this.permissions.assertRoleInOrganization(caller, ownerId, 'admin');
    if (ownerId !== caller.userId) throw new NotFound('User');
    caller.assertRoleOn({ id: '', ownerId }, 'admin', undefined);
    return undefined;
  }

  /** Throws 400 if the domains of the applications cannot belong to the owner. */
  private async assertDomains(
    ids: readonly string[],
    { ownerId, ownerType }: ApplicationOwner,
    transaction: QueuedTransaction,
  ): Promise<void> {
    const any = await this.domains.find(ids, transaction);
    if (!any) return;
    const refusal = ({ applicationId, domainName }: OwnedDomain, reason: string) =>
      new ValidationError(
        `${FIELD}.applicationIds: ${applicationId} has the domain ${domainName}, which ${reason}`,
      );
    if (ownerType === 'user') throw refusal(any, 'is not supported in a sandbox');
    const parted = await this.domains.findParted(ids, ownerId, transaction);
    if (parted)
      throw refusal(
        parted,
        'shares a wildcard with an application of another owner or one that is not transferred',
      );
  }

  /** Locks the organizations, which prevents their deletion and serializes transfers between them. */
  private async lockOrganizations(
    owners: readonly ApplicationOwner[],
    transaction: Transaction,
  ): Promise<void> {
    const ids = owners.filter(({ ownerType }) => ownerType === 'organization').map(({ ownerId }) => ownerId);
    await this.orgs.lockAll(ids, transaction);
  }
}

/**
 * Returns the applications that the caller, with this membership of their owner, can view. Throws 403 if the caller's
 * role on one is below `admin`.
 */
function assertAdminOn(
  applications: readonly Application[],
  caller: Principal,
  membership: Membership | undefined,
): Application[] {
  const known = applications.filter((each) => atLeast(caller.roleOn(each, membership), 'view'));
  for (const application of known) caller.assertRoleOn(application, 'admin', membership);
  return known;
}

/** Only applications of an organization can have an archive; removing it silently could lose data. */
function assertNoArchive(applications: readonly Application[], { ownerType }: ApplicationOwner): void {
  const archived = ownerType === 'user' && applications.find(({ archiveConfig }) => archiveConfig);
  if (archived)
    throw new ValidationError(
      `${FIELD}.applicationIds: ${archived.id} archives its data, which is not supported in a sandbox`,
    );
}

/**
 * Writes an entry for each application to the audit log of each owner that has one, with the relevant part of the body.
 */
async function logTransfers(
  { manager }: Transaction,
  by: Author,
  applications: readonly Application[],
  owners: readonly ApplicationOwner[],
  { destinationId, destinationType, strict }: ResourceTransfer,
): Promise<void> {
  for (const { ownerId, ownerType } of owners) {
    if (ownerType !== 'organization') continue;
    for (const { id, name } of applications) {
      await writeEntry(manager, by, {
        organization: { id: ownerId, primary: { type: 'Application', id, name } },
        body: { destinationId, destinationType, strict, applicationIds: [id] },
        response: { id },
      });
    }
  }
}
