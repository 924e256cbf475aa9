import type { Type } from '@nestjs/common';
import { withEntry, type Audited } from './audit/audit.js';
import type { Author } from './audit/author.js';
import { AuthoredResource, changedBy, createdBy } from './authored.js';
import type { Changes } from './database/changes.js';
import { violatedUnique, type Database, type Runner, type Statement } from './database/database.js';
import { columnName } from './database/naming.js';
import { RowShape, type Computed, type Row } from './database/row-shape.js';
import { insertion, prepared, returning, update } from './database/statements.js';
import { NotFound, ValidationError } from './errors/errors.js';
import type { ListParameters } from './list/list-query.js';
import { runList } from './list/run-list.js';
import { newId, type Resource } from './resource.js';
import { Stored, StoredPage } from './response/answers.js';

export interface RepositoryOptions {
  table: string;
  /** What 404 says was not found. */
  title: string;
  /** The property that holds whose row it is; several where the owner has an owner of its own, outermost first. */
  scope: string | readonly string[];
  /** What 400 says when another row has the values of a unique index, by the name of the index. */
  taken?: Readonly<Record<string, string>>;
  computed?: readonly Computed[];
  /** How its rows appear in audit logs; absent for what no log tells of. */
  audited?: Audited;
}

/** Whose rows: one id for each property of the scope. */
type ScopeId = string | readonly string[];

/**
 * The rows of one resource, each belonging to someone: an application, a user. No method takes an id without its
 * owner, so no caller can reach another's row by knowing its id. Every method is one statement, which writes the entry
 * of an audit log too.
 */
export class ScopedRepository<T extends Resource> {
  protected readonly shape: RowShape<T>;
  private readonly scope: readonly string[];
  private readonly mine: readonly string[];
  private readonly byId: string;
  private readonly authored: boolean;

  constructor(
    protected readonly database: Database,
    private readonly type: Type<T>,
    private readonly options: RepositoryOptions,
  ) {
    this.shape = new RowShape(type, options.computed);
    this.scope = [options.scope].flat();
    this.mine = [...this.scope, 'id'].map((property, i) => `t.${columnName(property)} = $${i + 1}`);
    this.byId = `FROM ${options.table} t WHERE ${this.mine.join(' AND ')}`;
    this.authored = type.prototype instanceof AuthoredResource;
  }

  /** The row, or 404. */
  async obtain(scopeId: ScopeId, id: string): Promise<Stored<T>> {
    return this.only(
      await this.database.run(prepared(this.shape.select(this.byId), [...[scopeId].flat(), id])),
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
    const now = new Date();
    const signed = this.authored ? { ...createdBy(by), ...changedBy(by) } : {};
    const dates = { creationDate: now, lastUpdated: now };
    const whole = { id: newId(), ...dates, ...signed, ...row, ...this.scopeOf(scopeId) };
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

  /** A page of the owner's rows with their number on all pages. */
  async page(scopeId: ScopeId, list: ListParameters): Promise<StoredPage<T>> {
    return runList(this.database, this.shape, {
      table: this.options.table,
      where: this.mine.slice(0, -1),
      values: [scopeId].flat(),
      list,
    });
  }

  /** Runs a changing statement; the entry in the log, where there is one, is part of it. */
  private async write(change: Statement, by: Author, runner: Runner = this.database): Promise<Row[]> {
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

/** The rows of a resource that applications hold; a page of them names its application. */
export class ApplicationRepository<T extends Resource> extends ScopedRepository<T> {
  constructor(database: Database, type: Type<T>, options: Omit<RepositoryOptions, 'scope'>) {
    super(database, type, { ...options, scope: 'applicationId' });
  }

  override async page(applicationId: string, list: ListParameters): Promise<StoredPage<T>> {
    const { items, envelope } = await super.page(applicationId, list);
    return new StoredPage(items, { ...envelope, applicationId });
  }
}
