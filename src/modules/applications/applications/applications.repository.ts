import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type Repository } from 'typeorm';
import type { Principal, Reach } from '../../../platform/access/principal.js';
import { applicationReach, applicationsReach } from '../../../platform/access/reach.js';
import { Rights } from '../../../platform/access/rights.js';
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
import { demandWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import type { Role } from '../../../platform/operations/operation.js';
import { Stored, StoredPage } from '../../../platform/responses/answers.js';
import type { RecentKind } from '../../../platform/recent/recent-kinds.js';
import { AUDITED, ORGANIZATION } from './application.columns.js';
import { Application } from './application.resource.js';

const TITLE = 'Application';
/** Its slug is one of those of experiences too. */
const SLUGS: ReadonlySet<string | undefined> = new Set(['applications_slug', 'experience_slugs_slug']);
const BY_ID = 'FROM applications t WHERE t.id = $1 AND t.deleted_at IS NULL';
const OWNED = ['t.id = $1', 't.owner_id = $2', 't.deleted_at IS NULL'];
/** How many applications the owner `t` has. */
const COUNT = countSql('t.id', `'appCount'`);

/** Who owns applications: a sandbox, or an organization. */
export type ApplicationOwner = Pick<Application, 'ownerId' | 'ownerType'>;

/** An application that a guard has let the caller reach. */
type Owned = Pick<Application, 'id' | 'ownerId'>;

/** The condition that the caller sees the application `t`; what it binds is added to `values`. */
export const seenApplication = (caller: Principal, values: unknown[]): string =>
  `t.deleted_at IS NULL AND ${applicationReach(caller, 'view', values)}`;

/** What is returned of a row that nobody is shown. */
const BARE = { columns: 't.id' };

/** Applications among what users look at. */
export const RECENT_APPLICATION: RecentKind = { table: 'applications', seenBy: seenApplication };

/**
 * The rows of applications. Rights hang on an application's owner, so they are part of each statement here: an
 * application out of the caller's reach is never read, listed or changed, and no request needs a statement to ask.
 */
@Injectable()
export class ApplicationsRepository {
  private readonly summarized = new WeakMap<readonly string[], RowShape<Application>>();

  constructor(
    @InjectRepository(Application) private readonly rows: Repository<Application>,
    private readonly database: Database,
    private readonly rights: Rights,
  ) {}

  /** The application when the caller's role on it is `wanted` or more; 404 when they may not see it, 403 otherwise. */
  async obtain(
    caller: Principal,
    id: string,
    summary: readonly string[],
    wanted: Role = 'view',
  ): Promise<Stored<Application>> {
    const shape = this.shapeWith(summary);
    const [row] = await this.database.read(shaped(shape.select(BY_ID), [id]));
    if (!row) throw new NotFound(TITLE);
    const application = new Stored(shape, row);
    await this.rights.demandOn(caller, { id, ...ownerOf(application) }, wanted);
    return application;
  }

  /** Stores a new application, as part of a transaction where one is given. */
  async add(
    row: Changes<Application>,
    summary: readonly string[],
    by: Author,
    runner: Runner = this.database,
  ): Promise<Stored<Application>> {
    const shape = this.shapeWith(summary);
    const added = await this.write(insertion(Application, 'applications', row), shape, by, runner);
    return new Stored(shape, added!);
  }

  /** Stores a new application as `add` does, or 400 where its owner may have no more of them. */
  addLimited(
    row: Changes<Application> & ApplicationOwner,
    summary: readonly string[],
    by: Author,
  ): Promise<Stored<Application>> {
    return this.database.transaction(async (transaction) => {
      await this.demandRoom(row, 1, transaction);
      return this.add(row, summary, by, transaction);
    });
  }

  /** Throws 400 where the owner may not have so many more applications. */
  demandRoom(owner: ApplicationOwner, more: number, { manager }: Transaction): Promise<void> {
    return demandWithinLimit(manager, limitedOwner(owner), 'application', COUNT, [], more);
  }

  /** Changes the application when the caller's role allows it; when nothing was changed, says why. */
  async change(
    id: string,
    changes: Changes<Application>,
    summary: readonly string[],
    by: Author,
  ): Promise<Stored<Application>> {
    const { caller } = by;
    const shape = this.shapeWith(summary);
    const values: unknown[] = [id];
    const where = ['t.id = $1', 't.deleted_at IS NULL', applicationReach(caller, 'collaborate', values)];
    const set = { ...changes, lastUpdated: new Date() };
    const row = await this.write(update(Application, 'applications', set, where, values), shape, by);
    if (row) return new Stored(shape, row);
    await this.obtain(caller, id, [], 'collaborate');
    throw new NotFound(TITLE);
  }

  /** The application, locked until the transaction ends, or 404: changes that build on it come one by one. */
  async lock({ id, ownerId }: Owned, transaction: Transaction): Promise<Application> {
    const where = { id, ownerId, deletedAt: IsNull() };
    const lock = { mode: 'pessimistic_write' } as const;
    const application = await this.within(transaction).findOne({ where, lock });
    if (!application) throw new NotFound(TITLE);
    return application;
  }

  /** Changes an application that is locked. */
  async set({ id, ownerId }: Owned, changes: Changes<Application>, by: Author, transaction: Transaction) {
    const set = { ...changes, lastUpdated: new Date() };
    const change = update(Application, 'applications', set, OWNED, [id, ownerId]);
    await this.write(change, BARE, by, transaction);
  }

  /** Marks the application as deleted, or 404: it is gone for everyone, and its slug is free. */
  async remove({ id, ownerId }: Owned, by: Author, transaction: Transaction): Promise<void> {
    const marks = { deletedAt: new Date(), endpointSlug: null };
    const change = update(Application, 'applications', marks, OWNED, [id, ownerId]);
    if (!(await this.write(change, BARE, by, transaction))) throw new NotFound(TITLE);
  }

  /** Those of `ids` that the owner has, locked until the transaction ends, in the order of their ids. */
  lockSome(
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

  /** Gives applications of one owner, which are locked, to another. The caller writes the entries of the logs. */
  async give(
    ids: readonly string[],
    { ownerId }: ApplicationOwner,
    to: ApplicationOwner,
    transaction: Transaction,
  ): Promise<void> {
    const set = { ownerId: to.ownerId, ownerType: to.ownerType, lastUpdated: new Date() };
    await this.within(transaction).update({ id: In(ids), ownerId }, set);
  }

  /** A page of the applications that the caller sees, of one owner when `ownerId` is given. */
  async page(
    caller: Principal,
    list: ListParameters,
    summary: readonly string[],
    ownerId?: string,
  ): Promise<StoredPage<Application>> {
    const values: unknown[] = [];
    const reach = await this.rights.reach(caller, 'view', ownerId);
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

  /** With the entry in the organization's log; whoever reaches no organization changes nothing of one. */
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

/** Whether all that is reached is all of each owner's. */
const isOfOwners = ({ except, also }: Reach): boolean => except.length === 0 && also.length === 0;

/** SQL of the number of applications in reach, where that is all of each owner's; owners are the first parameter. */
function totalOf(reach: Reach | 'many'): string | undefined {
  if (reach === 'many' || !isOfOwners(reach)) return undefined;
  if (reach.owners.length === 0) return '0';
  if (reach.owners.length === 1) return countSql('$1', `'appCount'`);
  return `(SELECT coalesce(sum(${countSql('o.id', `'appCount'`)}), 0) FROM unnest($1::text[]) o (id))`;
}

const ownerOf = (application: Stored<Application>): ApplicationOwner => ({
  ownerId: application.text('ownerId')!,
  ownerType: application.text('ownerType') as Application['ownerType'],
});
