import { Injectable, type Type } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type FindOptionsWhere, type Repository } from 'typeorm';
import type { ApplicationAccess } from '../access/request.js';
import { inApplication, withEntry, type AuditTarget } from '../audit/audit.js';
import type { Author } from '../audit/author.js';
import { AuthoredResource, changedBy, createdBy } from './authored.js';
import { countSql } from '../counts/counts.js';
import type { Changes } from '../database/changes.js';
import {
  Database,
  violatedUnique,
  type Runner,
  type Statement,
  type Transaction,
} from '../database/database.js';
import { columnName } from '../database/naming.js';
import { RowShape, type Computed, type Row } from '../database/row-shape.js';
import { insertion, insertionWhere, prepared, returning, update } from '../database/statements.js';
import { NotFound, ValidationError } from '../../lib/errors/errors.js';
import type { Holding } from '../holdings/holding.js';
import {
  assertWithinLimit,
  limitedOwner,
  noLimitSql,
  type LimitedOwner,
  type LimitName,
} from '../holdings/limits.js';
import type { ListParameters } from '../lists/list-query.js';
import { runList } from '../lists/run-list.js';
import { newId, type Resource } from './resource.js';
import { StoredResource, StoredPage } from '../responses/stored-resources.js';

export interface RepositoryOptions {
  table: string;
  /** Title of the resource in `404` errors. */
  title: string;
  /** Property with the ID of the owner; several if the owner itself has an owner, outermost first. */
  scope: string | readonly string[];
  /**
   * SQL that is true while the owner exists, with its IDs as `$1` and up. For rows that a job removes after their
   * owner.
   */
  ownerExists?: string;
  /** Property with the deletion time, if deleted rows are kept for a while. No method finds them. */
  deletedAt?: string;
  /** Message of the `400` error for conflicting values, by the name of the unique index. */
  conflictMessages?: Readonly<Record<string, string>>;
  computed?: readonly Computed[];
  /** How rows appear in audit logs; absent for resources that are not logged. */
  audited?: AuditTarget;
  /** Kind of the stored count for the innermost owner; if absent, rows are counted when listed. */
  count?: string;
}

/** Limit that applies to a new row. */
export interface RowLimit {
  owner: LimitedOwner;
  limit: LimitName;
  /** SQL of the current number of rows; `$2` is the innermost owner of the row. */
  used: string;
}

/** IDs of the owner, one for each property of the scope. */
type ScopeId = string | readonly string[];

/**
 * Access to the rows of a resource, each with an owner, such as an application or user. All methods require the owner
 * with the ID, so that callers cannot access rows of another owner with a known ID. Wraps TypeORM's repository of the
 * entity, which is private for the same reason; subclasses use it for their queries. The methods here are the hot ones.
 * Each is a single prepared statement, which also writes the audit log entry.
 */
export class ScopedRepository<T extends Resource> {
  protected readonly shape: RowShape<T>;
  private readonly scope: readonly string[];
  private readonly scopeConditions: readonly string[];
  private readonly rowConditions: readonly string[];
  private readonly byId: string;
  private readonly isAuthored: boolean;

  constructor(
    protected readonly rows: Repository<T>,
    protected readonly database: Database,
    private readonly options: RepositoryOptions,
  ) {
    const type = this.type;
    this.shape = new RowShape<T>(type, options.computed);
    this.scope = [options.scope].flat();
    const conditions = [...this.scope, 'id'].map((property, i) => `t.${columnName(property)} = $${i + 1}`);
    const there = [
      ...(options.ownerExists ? [options.ownerExists] : []),
      ...(options.deletedAt ? [`t.${columnName(options.deletedAt)} IS NULL`] : []),
    ];
    this.scopeConditions = [...conditions.slice(0, -1), ...there];
    this.rowConditions = [...conditions, ...there];
    this.byId = `FROM ${options.table} t WHERE ${this.rowConditions.join(' AND ')}`;
    this.isAuthored = type.prototype instanceof AuthoredResource;
  }

  /** Returns the row or throws `404`. */
  async findOneOrFail(scopeId: ScopeId, id: string): Promise<StoredResource<T>> {
    return this.singleOrFail(
      await this.database.read(prepared(this.shape.select(this.byId), [...[scopeId].flat(), id])),
    );
  }

  /**
   * Stores a new row, or throws `400` if its values conflict. Sets its ID and dates unless they are given. `runner` is
   * the enclosing transaction, if any.
   */
  async add(
    scopeId: ScopeId,
    row: Changes<T>,
    by: Author,
    runner: Runner = this.database,
  ): Promise<StoredResource<T>> {
    const whole = this.completeRow(scopeId, row, by);
    const [added] = await this.write(insertion(this.type, this.options.table, whole), by, runner);
    return new StoredResource(this.shape, added!);
  }

  /** Updates the given properties. Throws `404`, or `400` if values conflict. `null` clears a value. */
  async update(
    scopeId: ScopeId,
    id: string,
    changes: Changes<T>,
    by: Author,
    runner: Runner = this.database,
  ): Promise<StoredResource<T>> {
    const set = { ...changes, lastUpdated: new Date(), ...(this.isAuthored ? changedBy(by) : {}) };
    const statement = update(this.type, this.options.table, set, this.rowConditions, [
      ...[scopeId].flat(),
      id,
    ]);
    return this.singleOrFail(await this.write(statement, by, runner));
  }

  /** Deletes the row and returns its previous state, or throws `404`. Of two concurrent calls, only one succeeds. */
  async delete(
    scopeId: ScopeId,
    id: string,
    by: Author,
    runner: Runner = this.database,
  ): Promise<StoredResource<T>> {
    return this.singleOrFail(
      await this.write({ text: `DELETE ${this.byId}`, values: [...[scopeId].flat(), id] }, by, runner),
    );
  }

  /**
   * Returns a page of rows with the total number of rows. `owner` is the outermost owner, if it differs from the scope.
   */
  async findPage(
    scopeId: ScopeId,
    list: ListParameters,
    owner = [scopeId].flat()[0]!,
  ): Promise<StoredPage<T>> {
    const { table, count } = this.options;
    return runList(this.database, this.shape, {
      table,
      owner,
      where: this.scopeConditions,
      values: [scopeId].flat(),
      list,
      total: count && countSql(`$${this.scope.length}`, `'${count}'`),
    });
  }

  /**
   * Works like `add`, but throws `400` if the limit of `room` is reached. If no limit applies, which is the usual case,
   * it is a single statement.
   */
  protected async addWithinLimit(
    scopeId: ScopeId,
    row: Changes<T>,
    by: Author,
    room: RowLimit,
    transaction?: Transaction,
  ): Promise<StoredResource<T>> {
    const whole = this.completeRow(scopeId, row, by);
    const add = async (own: Transaction) => {
      await assertWithinLimit(own.manager, room.owner, room.limit, room.used, [[scopeId].flat().at(-1)]);
      return this.add(scopeId, whole, by, own);
    };
    if (transaction) return add(transaction);
    const unlimited = noLimitSql(room.owner, room.limit);
    const statement = insertionWhere(this.type, this.options.table, whole, unlimited);
    const [added] = await this.write(statement, by);
    return added ? new StoredResource(this.shape, added) : this.database.transaction(add);
  }

  /**
   * Returns the row as an entity, locked until the transaction ends, or throws `404`. Serializes changes that depend on
   * it.
   */
  async lock(scopeId: ScopeId, id: string, { manager }: Transaction): Promise<T> {
    const { deletedAt } = this.options;
    const kept = deletedAt ? { [deletedAt]: IsNull() } : {};
    const row = await manager.getRepository(this.type).findOne({
      where: { ...this.scopeOf(scopeId), id, ...kept } as FindOptionsWhere<T>,
      lock: { mode: 'for_no_key_update' },
    });
    if (!row) throw new NotFound(this.options.title);
    return row;
  }

  protected get type(): Type<T> {
    return this.rows.target as Type<T>;
  }

  /** Completes a new row with its ID, dates, author and owner. */
  protected completeRow(scopeId: ScopeId, row: Changes<T>, by: Author): Changes<T> {
    const now = new Date();
    const signed = this.isAuthored ? { ...createdBy(by), ...changedBy(by) } : {};
    const dates = { creationDate: now, lastUpdated: now };
    return { id: newId(), ...dates, ...signed, ...row, ...this.scopeOf(scopeId) };
  }

  /** Runs a statement that modifies data, including the audit log entry, if any. */
  protected async write(change: Statement, by: Author, runner: Runner = this.database): Promise<Row[]> {
    const { columns } = this.shape;
    const { audited } = this.options;
    try {
      return await runner.run(audited ? withEntry(change, columns, audited, by) : returning(change, columns));
    } catch (error) {
      const taken = this.options.conflictMessages?.[violatedUnique(error) ?? ''];
      throw taken === undefined ? error : new ValidationError(taken);
    }
  }

  private scopeOf(scopeId: ScopeId): Record<string, unknown> {
    const ids = [scopeId].flat();
    return Object.fromEntries(this.scope.map((property, i) => [property, ids[i]]));
  }

  private singleOrFail(rows: readonly Row[]): StoredResource<T> {
    if (!rows[0]) throw new NotFound(this.options.title);
    return new StoredResource(this.shape, rows[0]);
  }
}

/** Access to the rows of resources of applications. Pages contain the ID of the application. */
export class ApplicationRepository<T extends Resource> extends ScopedRepository<T> {
  constructor(
    rows: Repository<T>,
    database: Database,
    private readonly holding: Holding<T>,
  ) {
    const { count, partitionedBy, measures, audited, ...options } = holding;
    const log = typeof audited === 'string' ? { type: audited, name: undefined } : audited;
    super(rows, database, {
      ...options,
      scope: 'applicationId',
      audited: log && inApplication(log.type, log.name),
      count: partitionedBy || measures ? undefined : count,
    });
  }

  async findApplicationPage(
    { id, ownerId }: ApplicationAccess,
    list: ListParameters,
  ): Promise<StoredPage<T>> {
    const { items, envelope } = await this.findPage(id, list, ownerId);
    return new StoredPage(items, { ...envelope, applicationId: id });
  }

  /** Works like `add`, but throws `400` if the limit of the application is reached. */
  async addToApplication(
    application: ApplicationAccess,
    row: Changes<T>,
    by: Author,
    transaction?: Transaction,
  ): Promise<StoredResource<T>> {
    const { limit, count, partitionedBy } = this.holding;
    if (!limit) return this.add(application.id, row, by, transaction);
    const used = countSql('$2', `'${count}'`, { parted: partitionedBy !== undefined });
    const room = { owner: limitedOwner(application), limit, used };
    return this.addWithinLimit(application.id, row, by, room, transaction);
  }
}

/** Returns the base class of a holding's repository, into which Nest injects its rows and the database. */
export function repositoryOf<T extends Resource>(holding: Holding<T>): Type<ApplicationRepository<T>> {
  @Injectable()
  class HoldingRepository extends ApplicationRepository<T> {
    constructor(@InjectRepository(holding.type) rows: Repository<T>, database: Database) {
      super(rows, database, holding);
    }
  }
  return HoldingRepository;
}
