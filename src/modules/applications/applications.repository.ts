import { Injectable } from '@nestjs/common';
import type { Principal, Reach } from '../../platform/access/principal.js';
import { applicationReach, applicationsReach } from '../../platform/access/reach.js';
import { Rights } from '../../platform/access/rights.js';
import { withEntry, type Audited } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { countSql } from '../../platform/counts/counts.js';
import { applicationSummary } from '../../platform/counts/summaries.js';
import { Database, type Runner, type Statement } from '../../platform/database/database.js';
import { RowShape, type Computed, type Row } from '../../platform/database/row-shape.js';
import { insertion, returning, shaped, update } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runList } from '../../platform/list/run-list.js';
import type { Role } from '../../platform/operation.js';
import { Stored, StoredPage } from '../../platform/response/answers.js';
import { registerRecentKind } from '../../platform/recent/recent-kinds.js';
import { Application } from './application.resource.js';

const TITLE = 'Application';
const BY_ID = 'FROM applications t WHERE t.id = $1 AND t.deleted_at IS NULL';
const ORGANIZATION: readonly Computed[] = ['name', 'iconColor'].map((property) => ({
  property: `organization${property[0]!.toUpperCase()}${property.slice(1)}`,
  kind: 'text',
  sql: `CASE WHEN t.owner_type = 'organization' THEN (SELECT o.${property === 'name' ? 'name' : 'icon_color'} FROM orgs o WHERE o.id = t.owner_id) END`,
}));

/** An application in the log of the organization that owns it. */
export const AUDITED: Audited = {
  log: 'organization',
  join: `JOIN orgs o ON o.id = t.owner_id AND t.owner_type = 'organization'`,
  primary: { type: 'Application', id: 't.id', name: 't.name' },
};

/** SQL of how many applications the owner `t` has. */
export const APPLICATIONS_OWNED = countSql('t.id', `'appCount'`);

/** The condition that the caller sees the application `t`; what it binds is added to `values`. */
export const seenApplication = (caller: Principal, values: unknown[]): string =>
  `t.deleted_at IS NULL AND ${applicationReach(caller, 'view', values)}`;

registerRecentKind('application', { table: 'applications', seenBy: seenApplication });

/**
 * The rows of applications. Rights hang on an application's owner, so they are part of each statement here: an
 * application out of the caller's reach is never read, listed or changed, and no request needs a statement to ask.
 */
@Injectable()
export class ApplicationsRepository {
  private readonly summarized = new WeakMap<readonly string[], RowShape<Application>>();

  constructor(
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
    row: Partial<Application>,
    summary: readonly string[],
    by: Author,
    runner: Runner = this.database,
  ): Promise<Stored<Application>> {
    const shape = this.shapeWith(summary);
    const added = await this.write(insertion(Application, 'applications', row), shape, by, runner);
    return new Stored(shape, added!);
  }

  /** Changes the application when the caller's role allows it; when nothing was changed, says why. */
  async change(
    id: string,
    changes: object,
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
    return runList(this.database, this.shapeWith(summary), {
      table: 'applications',
      where,
      values,
      list,
      total,
    });
  }

  /** With the entry in the organization's log; whoever reaches no organization changes nothing of one. */
  private async write(
    change: Statement,
    { columns }: RowShape<Application>,
    by: Author,
    runner: Runner = this.database,
  ): Promise<Row | undefined> {
    const logged = by.caller.reachesOrganizations;
    const [row] = await runner.run(
      logged ? withEntry(change, columns, AUDITED, by) : returning(change, columns),
    );
    return row;
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

/** SQL of the number of applications in reach, where that is all of each owner's; owners are the first parameter. */
function totalOf(reach: Reach | 'many'): string | undefined {
  if (reach === 'many' || reach.except.length || reach.also.length) return undefined;
  if (reach.owners.length === 0) return '0';
  if (reach.owners.length === 1) return countSql('$1', `'appCount'`);
  return `(SELECT coalesce(sum(${countSql('o.id', `'appCount'`)}), 0) FROM unnest($1::text[]) o (id))`;
}

const ownerOf = (application: Stored<Application>): Pick<Application, 'ownerId' | 'ownerType'> => ({
  ownerId: application.text('ownerId')!,
  ownerType: application.text('ownerType') as Application['ownerType'],
});
