import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type Repository } from 'typeorm';
import type { Principal, AccessibleApplications } from '../../../platform/access/principal.js';
import { applicationReach, applicationsReach } from '../../../platform/access/reach.js';
import { Permissions } from '../../../platform/access/permissions.js';
import { withEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import { applicationSummary } from '../../../platform/counts/summaries.js';
import type { Changes } from '../../../platform/database/changes.js';
import {
  Database,
  violatedUnique,
  type Runner,
  type Statement,
  type Transaction,
} from '../../../platform/database/database.js';
import { RowShape, type Row } from '../../../platform/database/row-shape.js';
import { insertion, returning, shaped, update } from '../../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { assertWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import type { Role } from '../../../platform/operations/operation.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import type { RecentKind } from '../../../platform/recent/recent-kinds.js';
import { AUDITED, ORGANIZATION } from './application.columns.js';
import { Application } from './application.resource.js';

const TITLE = 'Application';
/** The slug of an application is also stored as an experience slug. */
const SLUGS: ReadonlySet<string | undefined> = new Set(['applications_slug', 'experience_slugs_slug']);
const BY_ID = 'FROM applications t WHERE t.id = $1 AND t.deleted_at IS NULL';
const OWNED_CONDITIONS = ['t.id = $1', 't.owner_id = $2', 't.deleted_at IS NULL'];
/** Number of applications of the owner `t`. */
const COUNT = countSql('t.id', `'appCount'`);

/** Owner of applications: a user, for their sandbox, or an organization. */
export type ApplicationOwner = Pick<Application, 'ownerId' | 'ownerType'>;

/** Application to which a guard has granted the caller access. */
type Owned = Pick<Application, 'id' | 'ownerId'>;

/** Returns the condition that the caller can view the application `t`, and adds its parameters to `values`. */
export const seenApplication = (caller: Principal, values: unknown[]): string =>
  `t.deleted_at IS NULL AND ${applicationReach(caller, 'view', values)}`;

/** Returned columns of a row that is not part of a response. */
const ID_ONLY = { columns: 't.id' };

/** Applications in the recently viewed items of users. */
export const RECENT_APPLICATION: RecentKind = { table: 'applications', seenBy: seenApplication };

/**
 * Repository of applications. Access depends on the owner of an application, so every statement includes it as a
 * condition. An application without access is never read, listed or changed, and no separate query is needed.
 */
@Injectable()
export class ApplicationsRepository {
  private readonly summarized = new WeakMap<readonly string[], RowShape<Application>>();

  constructor(
    @InjectRepository(Application) private readonly rows: Repository<Application>,
    private readonly database: Database,
    private readonly permissions: Permissions,
  ) {}

  /**
   * Returns the application if the caller's role on it is at least `wanted`. Throws 404 if they cannot view it,
   * otherwise 403.
   */
  async obtain(
    caller: Principal,
    id: string,
    summary: readonly string[],
    wanted: Role = 'view',
  ): Promise<StoredResource<Application>> {
    const shape = this.shapeWith(summary);
    const [row] = await this.database.read(shaped(shape.select(BY_ID), [id]));
    if (!row) throw new NotFound(TITLE);
    const application = new StoredResource(shape, row);
    await this.permissions.assertRoleOn(caller, { id, ...ownerOf(application) }, wanted);
    return application;
  }

  /** Inserts an application, within the given transaction if any. */
  async add(
    row: Changes<Application>,
    summary: readonly string[],
    by: Author,
    runner: Runner = this.database,
  ): Promise<StoredResource<Application>> {
    const shape = this.shapeWith(summary);
    const inserted = { columns: shape.columnsOfNew };
    const added = await this.write(insertion(Application, 'applications', row), inserted, by, runner);
    return new StoredResource(shape, added!);
  }

  /** Inserts an application. Throws 400 if its owner would exceed the limit. */
  addLimited(
    row: Changes<Application> & ApplicationOwner,
    summary: readonly string[],
    by: Author,
  ): Promise<StoredResource<Application>> {
    return this.database.transaction(async (transaction) => {
      await this.assertWithinLimit(row, 1, transaction);
      return this.add(row, summary, by, transaction);
    });
  }

  /** Throws 400 if this number of additional applications would exceed the owner's limit. */
  assertWithinLimit(owner: ApplicationOwner, more: number, { manager }: Transaction): Promise<void> {
    return assertWithinLimit(manager, limitedOwner(owner), 'application', COUNT, [], more);
  }

  /** Updates the application if the caller's role allows it; otherwise throws the matching error. */
  async change(
    id: string,
    changes: Changes<Application>,
    summary: readonly string[],
    by: Author,
  ): Promise<StoredResource<Application>> {
    const { caller } = by;
    const shape = this.shapeWith(summary);
    const values: unknown[] = [id];
    const where = ['t.id = $1', 't.deleted_at IS NULL', applicationReach(caller, 'collaborate', values)];
    const set = Object.assign({}, changes, { lastUpdated: new Date() });
    const row = await this.write(update(Application, 'applications', set, where, values), shape, by);
    if (row) return new StoredResource(shape, row);
    await this.obtain(caller, id, [], 'collaborate');
    throw new NotFound(TITLE);
  }

  /**
   * Locks the application until the transaction ends, so that dependent changes are serialized. Throws 404 if it does
   * not exist.
   */
  async lock({ id, ownerId }: Owned, transaction: Transaction): Promise<Application> {
    const where = { id, ownerId, deletedAt: IsNull() };
    const lock = { mode: 'pessimistic_write' } as const;
    const application = await this.within(transaction).findOne({ where, lock });
    if (!application) throw new NotFound(TITLE);
    return application;
  }

  /** Updates a locked application. */
  async set({ id, ownerId }: Owned, changes: Changes<Application>, by: Author, transaction: Transaction) {
    const set = { ...changes, lastUpdated: new Date() };
    const change = update(Application, 'applications', set, OWNED_CONDITIONS, [id, ownerId]);
    await this.write(change, ID_ONLY, by, transaction);
  }

  /** Marks the application as deleted and releases its slug. Throws 404 if it does not exist. */
  async remove({ id, ownerId }: Owned, by: Author, transaction: Transaction): Promise<void> {
    const marks = { deletedAt: new Date(), endpointSlug: null };
    const change = update(Application, 'applications', marks, OWNED_CONDITIONS, [id, ownerId]);
    if (!(await this.write(change, ID_ONLY, by, transaction))) throw new NotFound(TITLE);
  }

  /** Locks those of `ids` that belong to the owner until the transaction ends, in order of ID. */
  lockMany(
    { ownerId }: ApplicationOwner,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Application[]> {
    return this.within(transaction).find({
      where: { id: In(ids), ownerId, deletedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Transfers locked applications to another owner. The caller writes the audit log entries. */
  async transfer(
    ids: readonly string[],
    { ownerId }: ApplicationOwner,
    to: ApplicationOwner,
    transaction: Transaction,
  ): Promise<void> {
    const set = { ownerId: to.ownerId, ownerType: to.ownerType, lastUpdated: new Date() };
    await this.within(transaction).update({ id: In(ids), ownerId }, set);
  }

  /** Returns a page of the applications that the caller can view, of one owner if `ownerId` is set. */
  async page(
    caller: Principal,
    list: ListParameters,
    summary: readonly string[],
    ownerId?: string,
  ): Promise<StoredPage<Application>> {
    const values: unknown[] = [];
    const reach = await this.permissions.reach(caller, 'view', ownerId);
    const where = ['t.deleted_at IS NULL', applicationsReach(caller, 'view', reach, values)];
    const total = totalOf(reach);
    const several = reach !== 'many' && reach.owners.length > 1 && isOfOwners(reach);
    const holders = { ids: '$1::text[]', column: 't.owner_id', where: ['t.deleted_at IS NULL'] };
    return runList(this.database, this.shapeWith(summary), {
      table: 'applications',
      owner: ownerId ?? caller.subject.id,
      where,
      values,
      list,
      total,
      holders: several ? holders : undefined,
    });
  }

  /**
   * Writes the change with its entry in the organization's audit log. Callers without access to organizations cannot
   * change their applications, so no entry is needed.
   */
  private async write(
    change: Statement,
    { columns }: Pick<RowShape<Application>, 'columns'>,
    by: Author,
    runner: Runner = this.database,
  ): Promise<Row | undefined> {
    const logged = by.caller.reachesOrganizations;
    try {
      const [row] = await runner.run(
        logged ? withEntry(change, columns, AUDITED, by) : returning(change, columns),
      );
      return row;
    } catch (error) {
      if (!SLUGS.has(violatedUnique(error))) throw error;
      throw new ValidationError('application.endpointSlug is not available');
    }
  }

  private within({ manager }: Transaction): Repository<Application> {
    return manager.withRepository(this.rows);
  }

  private shapeWith(summary: readonly string[]): RowShape<Application> {
    let shape = this.summarized.get(summary);
    if (!shape) {
      shape = new RowShape<Application>(Application, [...ORGANIZATION, applicationSummary.property(summary)]);
      this.summarized.set(summary, shape);
    }
    return shape;
  }
}

/** Whether the caller has access to all applications of each owner, and to no others. */
const isOfOwners = ({ except, additional }: AccessibleApplications): boolean =>
  except.length === 0 && additional.length === 0;

/**
 * Returns SQL for the number of accessible applications, if these are all applications of each owner. The owners are
 * parameter 1.
 */
function totalOf(reach: AccessibleApplications | 'many'): string | undefined {
  if (reach === 'many' || !isOfOwners(reach)) return undefined;
  if (reach.owners.length === 0) return '0';
  if (reach.owners.length === 1) return countSql('$1', `'appCount'`);
  return `(SELECT coalesce(sum(${countSql('o.id', `'appCount'`)}), 0) FROM unnest($1::text[]) o (id))`;
}

const ownerOf = (application: StoredResource<Application>): ApplicationOwner => ({
  ownerId: application.text('ownerId')!,
  ownerType: application.text('ownerType') as Application['ownerType'],
});
