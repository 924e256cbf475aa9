import type { Type } from '@nestjs/common';
import { IsNull, type FindOptionsWhere, type Repository } from 'typeorm';
import type { ApplicationAccess } from '../access/request.js';
import { inApplication, withEntry, type Audited } from '../audit/audit.js';
import type { Author } from '../audit/author.js';
import { AuthoredResource, changedBy, createdBy } from './authored.js';
import { countSql } from '../counts/counts.js';
import type { Changes } from '../database/changes.js';
import {
  violatedUnique,
  type Database,
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
  demandWithinLimit,
  limitedOwner,
  noLimitSql,
  type LimitedOwner,
  type LimitName,
} from '../holdings/limits.js';
import type { ListParameters } from '../lists/list-query.js';
import { runList } from '../lists/run-list.js';
import { newId, type Resource } from './resource.js';
import { Stored, StoredPage } from '../responses/answers.js';

export interface RepositoryOptions {
  table: string;
  /** What 404 says was not found. */
  title: string;
  /** The property that holds whose row it is; several where the owner has an owner of its own, outermost first. */
  scope: string | readonly string[];
  /** SQL that holds while the owner is there, whose ids are `$1` and on; for rows that a job removes once it is gone. */
  ownerExists?: string;
  /** The property that says when a row was deleted, where deleted rows stay for a while: nothing here finds them. */
  deletedAt?: string;
  /** What 400 says when another row has the values of a unique index, by the name of the index. */
  taken?: Readonly<Record<string, string>>;
  computed?: readonly Computed[];
  /** How its rows appear in audit logs; absent for what no log tells of. */
  audited?: Audited;
  /** The kind of count that is kept of them for the innermost owner; absent, they are counted when listed. */
  count?: string;
}

/** Whose limit a new row counts against. */
export interface Room {
  owner: LimitedOwner;
  limit: LimitName;
  /** SQL of how many there are; `$2` is the innermost owner of the row. */
  used: string;
}

/** Whose rows: one id for each property of the scope. */
type ScopeId = string | readonly string[];

/**
 * The rows of one resource, each belonging to someone: an application, a user. No method takes an id without its
 * owner, so no caller can reach another's row by knowing its id. It stands on TypeORM's repository of the entity, which
 * stays inside for the same reason: a family's own repository writes finds and queries with it. The methods here are the
 * hot ones. Each is one prepared statement, which writes the entry of an audit log too.
 */
export class ScopedRepository<T extends Resource> {
  protected readonly shape: RowShape<T>;
  private readonly scope: readonly string[];
  private readonly ofScope: readonly string[];
  private readonly mine: readonly string[];
  private readonly byId: string;
  private readonly authored: boolean;

  constructor(
    protected readonly rows: Repository<T>,
    protected readonly database: Database,
    private readonly options: RepositoryOptions,
  ) {
    const type = this.type;
    this.shape = new RowShape(type, options.computed);
    this.scope = [options.scope].flat();
    const conditions = [...this.scope, 'id'].map((property, i) => `t.${columnName(property)} = $${i + 1}`);
    const there = [
      ...(options.ownerExists ? [options.ownerExists] : []),
      ...(options.deletedAt ? [`t.${columnName(options.deletedAt)} IS NULL`] : []),
    ];
    this.ofScope = [...conditions.slice(0, -1), ...there];
    this.mine = [...conditions, ...there];
    this.byId = `FROM ${options.table} t WHERE ${this.mine.join(' AND ')}`;
    this.authored = type.prototype instanceof AuthoredResource;
  }

  /** The row, or 404. */
  async obtain(scopeId: ScopeId, id: string): Promise<Stored<T>> {
    return this.only(
      await this.database.read(prepared(this.shape.select(this.byId), [...[scopeId].flat(), id])),
    );
  }

  /**
   * Stores a new row, or 400 where its values are taken; its id and dates are set here unless they are given. `runner` is
   * the transaction that it is part of, where there is one.
   */
  async add(
    scopeId: ScopeId,
    row: Changes<T>,
    by: Author,
    runner: Runner = this.database,
  ): Promise<Stored<T>> {
    const whole = this.wholeOf(scopeId, row, by);
    const [added] = await this.write(insertion(this.type, this.options.table, whole), by, runner);
    return new Stored(this.shape, added!);
  }

  /** Changes what is given and leaves the rest; 404, or 400 where a value is taken. `null` clears a value. */
  async change(
    scopeId: ScopeId,
    id: string,
    changes: Changes<T>,
    by: Author,
    runner: Runner = this.database,
  ): Promise<Stored<T>> {
    const set = { ...changes, lastUpdated: new Date(), ...(this.authored ? changedBy(by) : {}) };
    const statement = update(this.type, this.options.table, set, this.mine, [...[scopeId].flat(), id]);
    return this.only(await this.write(statement, by, runner));
  }

  /** Removes the row, or 404: of two that come at once, one finds nothing. Returns the row as it was. */
  async drop(scopeId: ScopeId, id: string, by: Author, runner: Runner = this.database): Promise<Stored<T>> {
    return this.only(
      await this.write({ text: `DELETE ${this.byId}`, values: [...[scopeId].flat(), id] }, by, runner),
    );
  }

  /** A page of rows with their number on all pages. `owner` is who they belong to in the end, where it is not the scope itself. */
  async page(scopeId: ScopeId, list: ListParameters, owner = [scopeId].flat()[0]!): Promise<StoredPage<T>> {
    const { table, count } = this.options;
    return runList(this.database, this.shape, {
      table,
      owner,
      where: this.ofScope,
      values: [scopeId].flat(),
      list,
      total: count && countSql(`$${this.scope.length}`, `'${count}'`),
    });
  }

  /**
   * Stores a new row as `add` does, or 400 where `room` has no place for it. Where nothing limits them, which is most often,
   * it is one statement.
   */
  protected async addLimited(
    scopeId: ScopeId,
    row: Changes<T>,
    by: Author,
    room: Room,
    transaction?: Transaction,
  ): Promise<Stored<T>> {
    const whole = this.wholeOf(scopeId, row, by);
    const add = async (own: Transaction) => {
      await demandWithinLimit(own.manager, room.owner, room.limit, room.used, [[scopeId].flat().at(-1)]);
      return this.add(scopeId, whole, by, own);
    };
    if (transaction) return add(transaction);
    const unlimited = noLimitSql(room.owner, room.limit);
    const statement = insertionWhere(this.type, this.options.table, whole, unlimited);
    const [added] = await this.write(statement, by);
    return added ? new Stored(this.shape, added) : this.database.transaction(add);
  }

  /** The row as an entity, locked until the transaction ends, or 404: changes that build on it come one by one. */
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

  /** A new row with all that is not given: its id, its dates, who makes it and whose it is. */
  protected wholeOf(scopeId: ScopeId, row: Changes<T>, by: Author): Changes<T> {
    const now = new Date();
    const signed = this.authored ? { ...createdBy(by), ...changedBy(by) } : {};
    const dates = { creationDate: now, lastUpdated: now };
    return { id: newId(), ...dates, ...signed, ...row, ...this.scopeOf(scopeId) };
  }

  /** Runs a changing statement; the entry in the log, where there is one, is part of it. */
  protected async write(change: Statement, by: Author, runner: Runner = this.database): Promise<Row[]> {
    const { columns } = this.shape;
    const { audited } = this.options;
    try {
      return await runner.run(audited ? withEntry(change, columns, audited, by) : returning(change, columns));
    } catch (error) {
      const taken = this.options.taken?.[violatedUnique(error) ?? ''];
      throw taken === undefined ? error : new ValidationError(taken);
    }
  }

  private scopeOf(scopeId: ScopeId): Record<string, unknown> {
    const ids = [scopeId].flat();
    return Object.fromEntries(this.scope.map((property, i) => [property, ids[i]]));
  }

  private only(rows: readonly Row[]): Stored<T> {
    if (!rows[0]) throw new NotFound(this.options.title);
    return new Stored(this.shape, rows[0]);
  }
}

/** The rows of what applications hold; a page of them names its application. */
export class ApplicationRepository<T extends Resource> extends ScopedRepository<T> {
  constructor(
    rows: Repository<T>,
    database: Database,
    private readonly holding: Holding<T>,
  ) {
    const { count, parted, measures, audited, ...options } = holding;
    const log = typeof audited === 'string' ? { type: audited, name: undefined } : audited;
    super(rows, database, {
      ...options,
      scope: 'applicationId',
      audited: log && inApplication(log.type, log.name),
      count: parted || measures ? undefined : count,
    });
  }

  async pageOf({ id, ownerId }: ApplicationAccess, list: ListParameters): Promise<StoredPage<T>> {
    const { items, envelope } = await this.page(id, list, ownerId);
    return new StoredPage(items, { ...envelope, applicationId: id });
  }

  /** Stores a new row as `add` does, or 400 where the application may have no more of them. */
  async addTo(
    application: ApplicationAccess,
    row: Changes<T>,
    by: Author,
    transaction?: Transaction,
  ): Promise<Stored<T>> {
    const { limit, count, parted } = this.holding;
    if (!limit) return this.add(application.id, row, by, transaction);
    const used = countSql('$2', `'${count}'`, { parted: parted !== undefined });
    const room = { owner: limitedOwner(application), limit, used };
    return this.addLimited(application.id, row, by, room, transaction);
  }
}
