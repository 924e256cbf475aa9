import type { Type } from '@nestjs/common';
import { columnsOf } from '../database/statements.js';

/** What the versions of an experience keep, for injection. */
export const FROZEN = Symbol('frozen');

/** What of a family a version of an experience keeps, as SQL over `e`, the row of the version. */
export interface Frozen {
  /** A name for it in statements. */
  name: string;
  /** A `SELECT` that locks what nobody may delete before the version has it; run before all is kept. */
  lock?: string;
  /** `INSERT … SELECT … FROM e`: what is being developed, kept under the version. */
  freeze: string;
  /** What puts that which the version keeps in the place of what is being developed; run in this order. */
  thaw: readonly string[];
}

/** Rows of `from` with an application, which stand in `into` once more for each version that keeps them. */
export function frozenRows(type: Type, from: string, into: string): Frozen {
  const columns = columnsOf(type);
  const list = columns.join(', ');
  const selected = columns.map((column) => `t.${column}`).join(', ');
  return {
    name: into,
    freeze: `INSERT INTO ${into} (version_id, ${list})
      SELECT e.id, ${selected} FROM e JOIN ${from} t ON t.application_id = e.application_id`,
    // All go before any comes: of two that have changed names, neither may meet the other.
    thaw: [
      `DELETE FROM ${from} t USING e WHERE t.application_id = e.application_id`,
      `INSERT INTO ${from} (${list}) SELECT ${selected} FROM e JOIN ${into} t ON t.version_id = e.id`,
    ],
  };
}
