import { Injectable } from '@nestjs/common';
import {
  atLeast,
  type OwnedApplication,
  type Principal,
  type Reach,
} from '../../platform/access/principal.js';
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
  `t.deleted_at IS NULL AND ${reachClause(caller.reach('view'), values)}`;

registerRecentKind('application', { table: 'applications', seenBy: seenApplication });

/**
 * The rows of applications. Rights hang on an application's owner, so they are part of each statement here: an
 * application out of the caller's reach is never read, listed or changed, and no request needs a statement to ask.
 */
@Injectable()
export class ApplicationsRepository {
  private readonly summarized = new WeakMap<readonly string[], RowShape<Application>>();

  constructor(private readonly database: Database) {}

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
    caller.demandOn({ id, ownerId: shape.text(row, 'ownerId')! }, wanted);
    return new Stored(shape, row);
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
    const where = ['t.id = $1', 't.deleted_at IS NULL', reachClause(caller.reach('collaborate'), values)];
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
    const reach = narrow(caller, caller.reach('view'), ownerId);
    const where = ['t.deleted_at IS NULL', reachClause(reach, values)];
    if (ownerId !== undefined) where.push(`t.owner_id = $${values.push(ownerId)}`);
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

/** With one owner given, only what concerns that owner: the planner then reads one index in order. */
function narrow(caller: Principal, reach: Reach, ownerId: string | undefined): Reach {
  if (ownerId === undefined) return reach;
  const wholly = atLeast(caller.roleOn({ id: '', ownerId }), 'view');
  return { ...reach, owners: wholly ? [ownerId] : [] };
}

/** The condition that the application `t` is within reach; its parameters are added to `values`. */
function reachClause({ owners, except, also }: Reach, values: unknown[]): string {
  const [only] = owners;
  const owned =
    owners.length === 1
      ? `t.owner_id = $${values.push(only)}`
      : `t.owner_id = ANY($${values.push(owners)}::text[])`;
  const kept = except.length ? `(${owned} AND NOT ${among(except, values)})` : owned;
  return also.length ? `(${kept} OR ${among(also, values)})` : kept;
}

/** SQL of the number of applications in reach, where that is all of each owner's; owners are the first parameter. */
function totalOf({ owners, except, also }: Reach): string | undefined {
  if (except.length || also.length) return undefined;
  if (owners.length === 1) return countSql('$1', `'appCount'`);
  return `(SELECT coalesce(sum(${countSql('o.id', `'appCount'`)}), 0) FROM unnest($1::text[]) o (id))`;
}

/** By id and owner: an id alone, which a token's cap may name freely, opens nothing. */
function among(applications: readonly OwnedApplication[], values: unknown[]): string {
  const owners = values.push(applications.map(({ ownerId }) => ownerId));
  const ids = values.push(applications.map(({ id }) => id));
  return `(t.owner_id, t.id) IN (SELECT * FROM unnest($${owners}::text[], $${ids}::text[]))`;
}
