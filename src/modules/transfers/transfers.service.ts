import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { AccessCache } from '../../platform/access/access-cache.js';
import type { Membership } from '../../platform/access/memberships.js';
import { atLeast, type Principal } from '../../platform/access/principal.js';
import { Rights } from '../../platform/access/rights.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { demandWithinLimit } from '../../platform/limits.js';
import { Success } from '../../platform/shared.schemas.js';
import { Application } from '../applications/application.resource.js';
import { APPLICATIONS_OWNED } from '../applications/applications.repository.js';
import type { ResourceTransfer } from './resource-transfer.resource.js';

/** Who owns applications: a sandbox, or an organization. */
type Owner = Pick<Application, 'ownerId' | 'ownerType'>;

const AT = 'resourceTransfer';
const LOCK_ORGS = `SELECT id FROM orgs WHERE id = ANY($1) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

/** Applications that go from one owner to another. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly database: Database,
    private readonly cache: AccessCache,
    private readonly rights: Rights,
  ) {}

  /** Moves what the body names, whole or not at all. That the caller is admin at the source is settled for organizations. */
  async transfer(source: Owner, transfer: ResourceTransfer, by: Author): Promise<Success> {
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
    const moved = await this.database.transaction(async ({ manager }) => {
      await lockOrganizations(manager, [source, destination]);
      const owned = await lockApplications(manager, source, wanted);
      const applications = demandAdminOn(owned, caller, membership);
      const found = new Set(applications.map(({ id }) => id));
      const strange = wanted.find((id) => !found.has(id));
      if (strict && strange !== undefined)
        throw new ValidationError(`${AT}.applicationIds: ${strange} is no application of the present owner`);
      if (applications.length === 0) return [];
      demandNoArchive(applications, destination);
      await demandWithinApplicationLimit(manager, destination, applications.length);
      await manager.update(Application, { id: In([...found]) }, { ...destination, lastUpdated: new Date() });
      await noteAll(manager, by, applications, [source, destination], transfer);
      return [...found];
    });
    await this.cache.drop(...moved);
    return new Success();
  }

  /** Returns the caller's membership, where it is an organization's. Of sandboxes, nobody knows any but their own. */
  private async demandAdmin(
    caller: Principal,
    { ownerId, ownerType }: Owner,
  ): Promise<Membership | undefined> {
    if (ownerType === 'organization') return this.rights.demandInOrganization(caller, ownerId, 'admin');
    if (ownerId !== caller.userId) throw new NotFound('User');
    caller.demandOn({ id: '', ownerId }, 'admin', undefined);
    return undefined;
  }
}

/** Keeps the organizations from being deleted meanwhile, and other transfers between them waiting. */
async function lockOrganizations(manager: EntityManager, owners: readonly Owner[]): Promise<void> {
  const ids = owners.filter(({ ownerType }) => ownerType === 'organization').map(({ ownerId }) => ownerId);
  const locked = await manager.query<unknown[]>(LOCK_ORGS, [ids]);
  if (locked.length < ids.length) throw new NotFound('Organization');
}

/** Those of `ids` that the source owns. */
function lockApplications(
  manager: EntityManager,
  source: Owner,
  ids: readonly string[],
): Promise<Application[]> {
  return manager
    .createQueryBuilder(Application, 'a')
    .where('a.id = ANY(:ids) AND a.ownerId = :ownerId AND a.deletedAt IS NULL', { ids, ...source })
    .orderBy('a.id')
    .setLock('pessimistic_write')
    .getMany();
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
function demandNoArchive(applications: readonly Application[], { ownerType }: Owner): void {
  const archived = ownerType === 'user' && applications.find(({ archiveConfig }) => archiveConfig);
  if (archived)
    throw new ValidationError(
      `${AT}.applicationIds: ${archived.id} archives its data, which no application of a sandbox may`,
    );
}

function demandWithinApplicationLimit(
  manager: EntityManager,
  { ownerId, ownerType }: Owner,
  count: number,
): Promise<void> {
  const table = ownerType === 'organization' ? 'orgs' : 'users';
  return demandWithinLimit(
    manager,
    { table, id: ownerId },
    'application',
    `${APPLICATIONS_OWNED} + ${count - 1}`,
  );
}

/** An entry an application in the log of each owner that keeps one, each with what of the body is about it. */
async function noteAll(
  manager: EntityManager,
  by: Author,
  applications: readonly Application[],
  owners: readonly Owner[],
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
