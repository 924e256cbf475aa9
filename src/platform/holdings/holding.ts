import type { Type } from '@nestjs/common';
import { APPLICATION_COUNTS, type ApplicationCount } from '../counts/summaries.js';
import type { CountedRows } from '../counts/count-triggers.js';
import { columnName } from '../database/naming.js';
import type { Computed } from '../database/row-shape.js';
import { LIMITS, type LimitName } from './limits.js';
import type { StoredBytes } from './storage-limit.js';

/** Injection token of all holdings of applications, in the order in which they are removed. */
export const HOLDINGS = Symbol('holdings');

/**
 * A resource family that applications hold, declared once next to its class: its table and the facts derived from it.
 */
export interface HoldingDefinition<T extends object> {
  /** Name of the table; its column `application_id` is the holder of a row. */
  table: string;
  /** Name of the resource in `404` messages. */
  title: string;
  /** Type of the resource in audit logs, if it is logged, and SQL over a row `t` for its name there. */
  audited?: string | { type: string; name: string };
  /** Name of the count in the summaries of the application and its owner. */
  count?: ApplicationCount;
  /** Property by whose values the count is split, so that lists of one part have a total. */
  partitionedBy?: keyof T & string;
  /** True if a row can move from one part to another. */
  changesPartition?: true;
  /** SQL over a row `r` for the properties of its count, if the count is more than a number. */
  measures?: Readonly<Record<string, string>>;
  /** SQL condition on `r` for the rows that count; absent if all do. */
  counted?: string;
  /**
   * SQL over a row `r` for the bytes that it stores. Their sum is kept with the counts, but is not part of a summary.
   */
  bytes?: { kind: StoredBytes; sql: string };
  /** Property with the deletion time, if deleted rows are kept for a while. Such rows are neither found nor counted. */
  deletedAt?: keyof T & string;
  /** Limit of the owner that applies to the number of these resources per application. */
  limit?: LimitName;
  /** Message of the `400` error for a violated unique index, by name of the index. */
  conflictMessages?: Readonly<Record<string, string>>;
  /** Values shown of a row in addition to its own columns. */
  computed?: readonly Computed[];
  /**
   * Tables that rows refer to without a foreign key, or that must be filled first. Rows are created after those of these
   * tables and removed before them.
   */
  after?: readonly string[];
  /** Maximum number of rows that one statement removes, if locks rather than time limit it. */
  maxRemovalBatch?: number;
}

export interface Holding<T extends object = object> extends Omit<
  HoldingDefinition<T>,
  'partitionedBy' | 'deletedAt'
> {
  type: Type<T>;
  partitionedBy?: string;
  deletedAt?: string;
}

/** Declares a resource family of applications. Throws at load time for an unknown count or limit. */
export function holding<T extends object>(type: Type<T>, facts: HoldingDefinition<T>): Holding<T> {
  const { table, count, limit, partitionedBy, measures, bytes } = facts;
  if (count && !Object.hasOwn(APPLICATION_COUNTS, count))
    throw new Error(`${table}: no summary has ${count}`);
  if (limit && !Object.hasOwn(LIMITS, limit)) throw new Error(`${table}: no owner has the limit ${limit}`);
  if (!count && (partitionedBy ?? measures ?? limit ?? bytes))
    throw new Error(`${table}: nothing is counted`);
  return { type, ...facts };
}

/** Returns the counted rows of a holding, if any. */
export function countedRowsOf(holding: Holding): CountedRows[] {
  const { table, count, partitionedBy, changesPartition, measures, bytes, counted, deletedAt } = holding;
  if (!count) return [];
  const amounts = measures
    ? Object.entries(measures).map(([member, amount]) => ({ kind: `'${count}.${member}'`, amount }))
    : [{ kind: partitionedBy ? `'${count}:' || r.${columnName(partitionedBy)}` : `'${count}'`, amount: '1' }];
  if (bytes) amounts.push({ kind: `'${bytes.kind}'`, amount: bytes.sql });
  const conditions = [counted, deletedAt && `r.${columnName(deletedAt)} IS NULL`].filter(Boolean);
  const where = conditions.length > 0 ? { where: conditions.join(' AND ') } : {};
  const updated = changesPartition || measures || bytes || deletedAt ? { updated: true } : {};
  return [{ table, holder: 'application_id', ofApplications: true, amounts, ...where, ...updated }];
}
