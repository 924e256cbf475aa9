import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { AuthoredResource, changedBy, createdBy } from '../../../platform/repositories/authored.js';
import type { Bundled, DeferredLink, LinkTable } from '../../../platform/bundles/bundled.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database, violatedUnique, type Transaction } from '../../../platform/database/database.js';
import { columnName } from '../../../platform/database/naming.js';
import { prepared, returning, shaped, update } from '../../../platform/database/statements.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { assertWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import type { PlannedRow } from './planned/planned-rows.js';

/** Natural key of a resource in its application: its name and any other properties that the family declares. */
export type NaturalKey = readonly string[];

const FLOWS = `SELECT f.id, f.flow_class FROM flows f WHERE f.application_id = $1 AND f.id = ANY ($2::text[])
  ORDER BY f.id FOR SHARE`;

/** Existing resource with its generated texts, such as tokens. */
export interface FoundResource {
  id: string;
  generated: Readonly<Record<string, string>>;
}

/** Reference from one resource to another. */
export interface LinkedResource {
  id: string;
  other: string;
  /** Value that both resources share, if the family declares such a column. */
  sharedColumn?: string;
}

/** Writes the rows of an import in batches. */
@Injectable()
export class ImportedRowsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts rows of a family and returns the inserted IDs. Rows that violate a unique index are skipped. For an index
   * of another table that PostgreSQL maintains for the family, rows are inserted one by one to find the conflicting
   * ones.
   */
  async add(
    bundle: Bundled,
    applicationId: string,
    rows: readonly PlannedRow['row'][],
    by: Author,
    transaction: Transaction,
  ): Promise<Set<string>> {
    await transaction.run({ text: 'SAVEPOINT added', values: [] });
    try {
      const stored = await this.insert(bundle, applicationId, rows, by, transaction);
      await transaction.run({ text: 'RELEASE SAVEPOINT added', values: [] });
      return stored;
    } catch (error) {
      if (violatedUnique(error) === undefined) throw error;
      await transaction.run({ text: 'ROLLBACK TO SAVEPOINT added', values: [] });
      await transaction.run({ text: 'RELEASE SAVEPOINT added', values: [] });
      if (rows.length === 1) return new Set();
    }
    const stored = new Set<string>();
    for (const row of rows)
      for (const id of await this.add(bundle, applicationId, [row], by, transaction)) stored.add(id);
    return stored;
  }

  private async insert(
    { holding: { table, type } }: Bundled,
    applicationId: string,
    rows: readonly PlannedRow['row'][],
    by: Author,
    transaction: Transaction,
  ): Promise<Set<string>> {
    const now = new Date();
    const signed = type.prototype instanceof AuthoredResource ? { ...createdBy(by), ...changedBy(by) } : {};
    const common = { creationDate: now, lastUpdated: now, ...signed };
    const columns = rows.map((row) => columnsOf({ ...common, ...row, applicationId }));
    const names = [...new Set(columns.flatMap((row) => Object.keys(row)))].sort().join(', ');
    const text = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)
      ON CONFLICT DO NOTHING RETURNING id`;
    const stored = await transaction.run(shaped(text, [JSON.stringify(columns)]));
    return new Set(stored.map(([id]) => id!));
  }

  /** Inserts links between resources by ID. IDs that are not in the application are skipped. */
  async link(
    { holding }: Bundled,
    { table, own, other, others, sharedColumn }: LinkTable,
    applicationId: string,
    links: readonly LinkedResource[],
    transaction: Transaction,
  ): Promise<void> {
    const [column, same] = sharedColumn
      ? [`, ${sharedColumn}`, ` AND t.${sharedColumn} = p.${sharedColumn}`]
      : ['', ''];
    const text = `INSERT INTO ${table} (${own}, ${other}${column}) SELECT p.own, p.other${column && `, p.${sharedColumn}`}
      FROM unnest($2::text[], $3::text[], $4::text[]) p (own, other${column || ', none'})
      WHERE EXISTS (SELECT FROM ${holding.table} t WHERE t.id = p.own AND t.application_id = $1${same})
        AND EXISTS (SELECT FROM ${others} o WHERE o.id = p.other AND o.application_id = $1)
      ON CONFLICT DO NOTHING`;
    const columns = [
      links.map(({ id }) => id),
      links.map((link) => link.other),
      links.map((link) => link.sharedColumn),
    ];
    await transaction.run(shaped(text, [applicationId, ...columns]));
  }

  /** Sets references to resources that exist by now. IDs that are not in the application are skipped. */
  async name(
    { holding: { table } }: Bundled,
    column: string,
    { others, backReference }: DeferredLink,
    applicationId: string,
    links: readonly LinkedResource[],
    transaction: Transaction,
  ): Promise<void> {
    const text = `UPDATE ${table} t SET ${column} = o.id FROM unnest($2::text[], $3::text[]) p (own, other)
      JOIN ${others} o ON o.id = p.other AND o.application_id = $1
      WHERE t.id = p.own AND t.application_id = $1${backReference ? ` AND o.${backReference} = t.id` : ''}`;
    const columns = [links.map(({ id }) => id), links.map(({ other }) => other)];
    await transaction.run(shaped(text, [applicationId, ...columns]));
  }

  /** Replaces an existing row. Throws `400` if it violates a unique index. */
  async replace(
    { holding: { table, type, conflictMessages = {} }, generated = {}, newOnly = [], resets }: Bundled,
    applicationId: string,
    { id, row }: Pick<PlannedRow, 'id' | 'row'>,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const lock = { mode: 'pessimistic_write' } as const;
    const own: object = { id, applicationId };
    const before = resets && (await transaction.manager.findOne(type, { where: own, lock }));
    const keeps = !before || !resets?.(before, row);
    const kept = new Set(['id', ...Object.keys(generated), ...(keeps ? newOnly : [])]);
    const taken = Object.entries(row).filter(([property]) => !kept.has(property));
    const signed = type.prototype instanceof AuthoredResource ? changedBy(by) : {};
    const changes = { ...Object.fromEntries(taken), ...signed, lastUpdated: new Date() };
    const where = ['t.application_id = $1', 't.id = $2'];
    const change = update<object>(type, table, changes, where, [applicationId, id]);
    try {
      await transaction.run(returning(change, 't.id'));
    } catch (error) {
      const unique = violatedUnique(error);
      throw unique === undefined
        ? error
        : new ValidationError(conflictMessages[unique] ?? `${table}: the name is not available`);
    }
  }

  /** Throws `400` if the additional resources of a family would exceed a limit of the owner. */
  async assertWithinLimit(
    { holding: { limit, count, partitionedBy } }: Bundled,
    application: OwnedApplication,
    more: number,
    { manager }: Transaction,
  ): Promise<void> {
    if (!limit) return;
    const used = countSql('$2', `'${count}'`, { parted: partitionedBy !== undefined });
    await assertWithinLimit(manager, limitedOwner(application), limit, used, [application.id], more);
  }

  /**
   * Returns the resources of an application with these natural keys, keyed by the JSON of the key. The oldest one wins.
   */
  async found(
    { holding: { table, deletedAt }, nameProperty, identity, where, generated = {} }: Bundled,
    applicationId: string,
    keys: readonly NaturalKey[],
  ): Promise<Map<string, FoundResource>> {
    const columns = [nameProperty, ...identity].map(columnName);
    const texts = Object.keys(generated);
    const key = columns.map((column) => `t.${column}`).join(', ');
    const there = [
      't.application_id = $1',
      ...(deletedAt ? [`t.${columnName(deletedAt)} IS NULL`] : []),
      ...(where ? [where] : []),
    ];
    const text = `SELECT DISTINCT ON (${key}) ${[key, 't.id', ...texts.map((each) => `t.${columnName(each)}`)].join(', ')} FROM ${table} t
      JOIN unnest(${columns.map((_, i) => `$${i + 2}::text[]`).join(', ')}) k (${columns.join(', ')})
        ON ${columns.map((column) => `t.${column} = k.${column}`).join(' AND ')}
      WHERE ${there.join(' AND ')} ORDER BY ${key}, t.id`;
    const values = [applicationId, ...columns.map((_, i) => keys.map((each) => each[i]))];
    const found = await this.database.run(shaped(text, values));
    const { length } = columns;
    return new Map(
      found.map((row) => [
        JSON.stringify(row.slice(0, length)),
        {
          id: row[length]!,
          generated: Object.fromEntries(texts.map((each, i) => [each, row[length + 1 + i]!])),
        },
      ]),
    );
  }

  /** Returns the classes of workflows by ID and locks the workflows against deletion until the transaction ends. */
  async flowClasses(
    applicationId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, string>> {
    const rows = await transaction.run(prepared(FLOWS, [applicationId, ids]));
    return new Map(rows.map(([id, flowClass]) => [id!, flowClass!]));
  }
}

const columnsOf = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([property, value]) => [columnName(property), value]),
  );
