import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../platform/access/request.js';
import type { Author } from '../../platform/audit/author.js';
import { AuthoredResource, changedBy, createdBy } from '../../platform/authored.js';
import type { Bundled, LinkTable } from '../../platform/bundles/bundled.js';
import { countSql } from '../../platform/counts/counts.js';
import { Database, violatedUnique, type Transaction } from '../../platform/database/database.js';
import { columnName } from '../../platform/database/naming.js';
import { returning, shaped, update } from '../../platform/database/statements.js';
import { ValidationError } from '../../platform/errors/errors.js';
import { demandWithinLimit, limitedOwner } from '../../platform/limits.js';
import type { PlannedRow } from './planned-rows.js';

/** What a resource is known by in its application: its name, and of a version its workflow. */
export interface NaturalKey {
  name: string;
  flowId?: string;
}

/** The rows of other families that an import makes, many in one statement. */
@Injectable()
export class ImportedRowsRepository {
  constructor(private readonly database: Database) {}

  /** Stores new rows of a family; the ids of those that are stored. Where another has the values of a unique index, one is not. */
  async add(
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

  /** Links resources of a family with others, by pairs of their ids; what the application does not have is linked with nothing. */
  async link(
    { holding }: Bundled,
    { table, own, other, others }: LinkTable,
    applicationId: string,
    pairs: readonly (readonly [own: string, other: string])[],
    transaction: Transaction,
  ): Promise<void> {
    const text = `INSERT INTO ${table} (${own}, ${other}) SELECT p.own, p.other
      FROM unnest($2::text[], $3::text[]) p (own, other)
      WHERE EXISTS (SELECT FROM ${holding.table} t WHERE t.id = p.own AND t.application_id = $1)
        AND EXISTS (SELECT FROM ${others} o WHERE o.id = p.other AND o.application_id = $1)
      ON CONFLICT DO NOTHING`;
    const columns = [pairs.map(([id]) => id), pairs.map(([, id]) => id)];
    await transaction.run(shaped(text, [applicationId, ...columns]));
  }

  /** Has a row take the place of one that is there; 400 where another has the values of a unique index. */
  async replace(
    { holding: { table, type, taken = {} }, made = {} }: Bundled,
    applicationId: string,
    { id, row }: Pick<PlannedRow, 'id' | 'row'>,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const kept = new Set(['id', ...Object.keys(made)]);
    const own = Object.entries(row).filter(([property]) => !kept.has(property));
    const signed = type.prototype instanceof AuthoredResource ? changedBy(by) : {};
    const changes = { ...Object.fromEntries(own), ...signed, lastUpdated: new Date() };
    const where = ['t.application_id = $1', 't.id = $2'];
    const change = update<object>(type, table, changes, where, [applicationId, id]);
    try {
      await transaction.run(returning(change, 't.id'));
    } catch (error) {
      const unique = violatedUnique(error);
      throw unique === undefined
        ? error
        : new ValidationError(taken[unique] ?? `${table}: the name is not available`);
    }
  }

  /** 400 where an application may not have so many more of a family as the owner allows it. */
  async demandRoom(
    { holding: { limit, count, parted } }: Bundled,
    application: OwnedApplication,
    more: number,
    { manager }: Transaction,
  ): Promise<void> {
    if (!limit) return;
    const used = countSql('$2', `'${count}'`, { parted: parted !== undefined });
    await demandWithinLimit(manager, limitedOwner(application), limit, used, [application.id], more);
  }

  /** The resources of an application that are known by these keys: their ids by the JSON of the keys. */
  async found(
    { holding: { table, deletedAt }, named }: Bundled,
    applicationId: string,
    keys: readonly NaturalKey[],
  ): Promise<Map<string, string>> {
    const name = columnName(named);
    const there = deletedAt ? ` AND ${columnName(deletedAt)} IS NULL` : '';
    const ofFlow = keys.some(({ flowId }) => flowId !== undefined);
    const owner = ofFlow ? 't.flow_id' : 'NULL::text';
    const text = `SELECT t.${name}, ${owner}, min(t.id) FROM ${table} t
      JOIN unnest($2::text[], $3::text[]) k (name, flow_id) ON t.${name} = k.name ${ofFlow ? 'AND t.flow_id = k.flow_id' : ''}
      WHERE t.application_id = $1${there} GROUP BY 1, 2`;
    const values = [applicationId, keys.map((key) => key.name), keys.map(({ flowId }) => flowId ?? null)];
    const found = await this.database.run(shaped(text, values));
    return new Map(
      found.map(([foundName, flowId, id]) => [
        JSON.stringify({ name: foundName, ...(flowId ? { flowId } : {}) }),
        id!,
      ]),
    );
  }
}

const columnsOf = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([property, value]) => [columnName(property), value]),
  );
