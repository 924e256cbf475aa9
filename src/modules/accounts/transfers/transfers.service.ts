import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Membership } from '../../../platform/access/memberships.js';
import { atLeast, type Principal } from '../../../platform/access/principal.js';
import { Rights } from '../../../platform/access/rights.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { Application } from '../../applications/applications/application.resource.js';
import {
  ApplicationsRepository,
  type ApplicationOwner,
} from '../../applications/applications/applications.repository.js';
import { OrgsRepository } from '../orgs/orgs.repository.js';
import type { ResourceTransfer } from './resource-transfer.resource.js';

const AT = 'resourceTransfer';

/** Applications that go from one owner to another. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly orgs: OrgsRepository,
    private readonly database: Database,
    private readonly cache: AccessCache,
    private readonly rights: Rights,
  ) {}

  /** Moves what the body names, whole or not at all. That the caller is admin at the source is settled for organizations. */
  async transfer(source: ApplicationOwner, transfer: ResourceTransfer, by: Author): Promise<Success> {
    const { caller } = by;
    const destination = {
      ownerId: transfer.destinationId.toLowerCase(),
      ownerType: transfer.destinationType,
    };
    const membership = await this.demandAdmin(caller, source);
    await this.demandAdmin(caller, destination);
    if (destination.ownerId === source.ownerId)
      throw new ValidationError(`${AT}.destinationId is the owner already`);
    const { strict = false } = transfer;
    const [dashboardId] = transfer.dashboardIds ?? [];
    if (strict && dashboardId !== undefined)
      throw new ValidationError(`${AT}.dashboardIds: ${dashboardId} is no dashboard of the present owner`);
    const wanted = [...new Set(transfer.applicationIds?.map((id) => id.toLowerCase()))];
    const moved = await this.database.transaction(async (transaction) => {
      await this.lockOrganizations([source, destination], transaction);
      const owned = await this.applications.lockSome(source, wanted, transaction);
      const applications = demandAdminOn(owned, caller, membership);
      const ids = applications.map(({ id }) => id);
      const found = new Set(ids);
      const strange = wanted.find((id) => !found.has(id));
      if (strict && strange !== undefined)
        throw new ValidationError(`${AT}.applicationIds: ${strange} is no application of the present owner`);
      if (ids.length === 0) return [];
      demandNoArchive(applications, destination);
      await this.applications.demandRoom(destination, ids.length, transaction);
      await this.applications.give(ids, source, destination, transaction);
      await noteAll(transaction, by, applications, [source, destination], transfer);
      return ids;
    });
    await this.cache.drop(moved);
    return new Success();
  }

  /** Returns the caller's membership, where it is an organization's. Of sandboxes, nobody knows any but their own. */
  private async demandAdmin(
    caller: Principal,
    { ownerId, ownerType }: ApplicationOwner,
  ): Promise<Membership | undefined> {
    if (ownerType === 'organization') return this.rights.demandInOrganization(caller, ownerId, 'admin');
    if (ownerId !== caller.userId) throw new NotFound('User');
    caller.demandOn({ id: '', ownerId }, 'admin', undefined);
    return undefined;
  }

  /** Keeps the organizations from being deleted meanwhile, and other transfers between them waiting. */
  private async lockOrganizations(
    owners: readonly ApplicationOwner[],
    transaction: Transaction,
  ): Promise<void> {
    const ids = owners.filter(({ ownerType }) => ownerType === 'organization').map(({ ownerId }) => ownerId);
    await this.orgs.lockAll(ids, transaction);
  }
}

/** Those that the caller, with this membership at their owner, knows of; 403 where their role on one is below `admin`. */
function demandAdminOn(
  applications: readonly Application[],
  caller: Principal,
  membership: Membership | undefined,
): Application[] {
  const known = applications.filter((each) => atLeast(caller.roleOn(each, membership), 'view'));
  for (const application of known) caller.demandOn(application, 'admin', membership);
  return known;
}

/** An archive is for applications of an organization; leaving one behind unasked would be a loss. */
function demandNoArchive(applications: readonly Application[], { ownerType }: ApplicationOwner): void {
  const archived = ownerType === 'user' && applications.find(({ archiveConfig }) => archiveConfig);
  if (archived)
    throw new ValidationError(
      `${AT}.applicationIds: ${archived.id} archives its data, which no application of a sandbox may`,
    );
}

/** An entry an application in the log of each owner that keeps one, each with what of the body is about it. */
async function noteAll(
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
