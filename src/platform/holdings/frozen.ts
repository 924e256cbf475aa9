import type { Type } from '@nestjs/common';
import { columnsOf } from '../database/statements.js';

/** Injection token of the resource families that experience versions contain. */
export const FROZEN = Symbol('frozen');

/** How an experience version stores a family of resources, as SQL over `e`, the row of the version. */
export interface FrozenRows {
  /** Name of the family in statements. */
  name: string;
  /** Table of the development state; families are restored in the order in which rows of these tables are created. */
  table: string;
  /** A `SELECT` that locks rows that must not be deleted before the version contains them. Runs before any `freeze`. */
  lock?: string;
  /** `INSERT … SELECT … FROM e`: copies the development state into the version. */
  freeze: string;
  /** Statements that replace the development state with that of the version, in order. */
  thaw: readonly string[];
}

/** Returns statements for rows of `from` with an application, of which `into` contains a copy for each version. */
export function frozenRows(type: Type, from: string, into: string): FrozenRows {
  const columns = columnsOf(type);
  const list = columns.join(', ');
  const selected = columns.map((column) => `t.${column}`).join(', ');
  return {
    name: into,
    table: from,
    freeze: `INSERT INTO ${into} (version_id, ${list})
      SELECT e.id, ${selected} FROM e JOIN ${from} t ON t.application_id = e.application_id`,
    // All rows are deleted before any are inserted, so that rows with swapped names do not conflict.
    thaw: [
      `DELETE FROM ${from} t USING e WHERE t.application_id = e.application_id`,
      `INSERT INTO ${from} (${list}) SELECT ${selected} FROM e JOIN ${into} t ON t.version_id = e.id`,
    ],
  };
}
