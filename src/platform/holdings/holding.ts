import type { Type } from '@nestjs/common';
import { APPLICATION_COUNTS, type ApplicationCount } from '../counts/summaries.js';
import type { CountedRows } from '../counts/count-triggers.js';
import { columnName } from '../database/naming.js';
import type { Computed } from '../database/row-shape.js';
import { LIMITS, type LimitName } from './limits.js';
import type { StoredBytes } from './storage-limit.js';

/** Everything that applications hold, in the order in which it is removed, for injection. */
export const HOLDINGS = Symbol('holdings');

/** What applications hold, declared once beside its class: where it is, and what follows from holding it. */
export interface HoldingFacts<T extends object> {
  /** Its table; `application_id` says who holds a row. */
  table: string;
  /** What 404 says was not found. */
  title: string;
  /** Its type in audit logs, where these tell of it; and SQL over `t`, a row, of the name that it has there. */
  audited?: string | { type: string; name: string };
  /** Its count in the summaries of the application and of its owner. */
  count?: ApplicationCount;
  /** The property by whose values the count is kept in parts, so that a list of one part knows its total. */
  parted?: keyof T & string;
  /** True where a row may go from one part to another. */
  moves?: true;
  /** SQL over `r`, a row, by the members of its count, where that is more than a number. */
  measures?: Readonly<Record<string, string>>;
  /** SQL over `r`, a row: those that its count is of; absent, all are. */
  counted?: string;
  /** SQL over `r`, a row, of the bytes that it stores; their sum is kept beside the count, and no summary has it. */
  bytes?: { kind: StoredBytes; sql: string };
  /** The property that says when a row was deleted, where deleted rows stay for a while: nobody finds or counts them. */
  deletedAt?: keyof T & string;
  /** The limit on how many of them an application may have, which its owner has. */
  limit?: LimitName;
  /** What 400 says when another row has the values of a unique index, by the name of the index. */
  taken?: Readonly<Record<string, string>>;
  /** What is shown of a row beside its own columns. */
  computed?: readonly Computed[];
  /** The most rows that one statement removes, where that is for locks to say and not for time. */
  removedAtOnce?: number;
}

export interface Holding<T extends object = object> extends Omit<HoldingFacts<T>, 'parted' | 'deletedAt'> {
  type: Type<T>;
  parted?: string;
  deletedAt?: string;
}

/** Declares what applications hold. A count or limit that nobody knows fails at load. */
export function holding<T extends object>(type: Type<T>, facts: HoldingFacts<T>): Holding<T> {
  const { table, count, limit, parted, measures, bytes } = facts;
  if (count && !Object.hasOwn(APPLICATION_COUNTS, count))
    throw new Error(`${table}: no summary has ${count}`);
  if (limit && !Object.hasOwn(LIMITS, limit)) throw new Error(`${table}: no owner has the limit ${limit}`);
  if (!count && (parted ?? measures ?? limit ?? bytes)) throw new Error(`${table}: nothing is counted`);
  return { type, ...facts };
}

/** The rows that are counted for a holding, where they are. */
export function countedRowsOf(holding: Holding): CountedRows[] {
  const { table, count, parted, moves, measures, bytes, counted, deletedAt } = holding;
  if (!count) return [];
  const amounts = measures
    ? Object.entries(measures).map(([member, amount]) => ({ kind: `'${count}.${member}'`, amount }))
    : [{ kind: parted ? `'${count}:' || r.${columnName(parted)}` : `'${count}'`, amount: '1' }];
  if (bytes) amounts.push({ kind: `'${bytes.kind}'`, amount: bytes.sql });
  const conditions = [counted, deletedAt && `r.${columnName(deletedAt)} IS NULL`].filter(Boolean);
  const where = conditions.length > 0 ? { where: conditions.join(' AND ') } : {};
  const updated = moves || measures || bytes || deletedAt ? { updated: true } : {};
  return [{ table, holder: 'application_id', ofApplications: true, amounts, ...where, ...updated }];
}
