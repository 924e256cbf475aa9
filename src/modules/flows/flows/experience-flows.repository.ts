import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/** A workflow that was removed, by its name and that of its application; `kept` where versions of the experience have it. */
export interface RemovedFlow {
  flowId: string;
  name: string;
  applicationName: string;
  kept: boolean;
}

const MINE = `f.application_id = $1 AND f.flow_class = 'experience'`;
const OF_VERSION = 'v.flow_id = f.id AND v.version = $2';
const LOCKED = 'ORDER BY f.id FOR NO KEY UPDATE OF f';
const LOCK_OTHERS = `SELECT f.id FROM flows f
  WHERE ${MINE} AND f.in_develop AND NOT EXISTS (SELECT FROM flow_versions v WHERE ${OF_VERSION}) ${LOCKED}`;
const LOCK_OF_VERSION = `SELECT f.id FROM flow_versions v JOIN flows f ON f.id = v.flow_id
  WHERE v.application_id = $1 AND v.version = $2 AND f.flow_class = 'experience' ${LOCKED}`;
const IS_KEPT = 'SELECT EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = $1)';
const DROP_VERSION = `DELETE FROM flow_versions v WHERE v.flow_id = ANY($1::text[]) AND v.version = $2`;
const DROP_FORGOTTEN = `DELETE FROM flows f WHERE f.id = ANY($1::text[]) AND NOT f.in_develop
    AND NOT EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = f.id)
  RETURNING f.id`;
/** Nothing is left of it but its name, and what versions have. */
const REMOVE = `WITH gone AS (
    SELECT f.id, f.name, a.name AS application_name,
      f.flow_class = 'experience' AND EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = f.id) AS kept
    FROM flows f JOIN applications a ON a.id = f.application_id WHERE f.id = ANY($1::text[])),
  emptied AS (
    UPDATE flows f SET in_develop = false, triggers = '[]', nodes = '[]', globals = '[]', named_ids = '{}', last_updated = now()
    FROM gone g WHERE f.id = g.id AND g.kept),
  dropped AS (DELETE FROM flows f USING gone g WHERE f.id = g.id AND NOT g.kept)
  SELECT g.id AS flow_id, g.name, g.application_name, g.kept FROM gone g ORDER BY g.id`;

/**
 * Workflows of class experience, and what of them versions of the experience keep. A workflow that is deleted stays as long as
 * a version has it. Whatever asks whether one does locks the workflow first, by a statement of its own.
 */
@Injectable()
export class ExperienceFlowsRepository {
  /** Locks what is being developed, but for what a version has. */
  lockOthers(applicationId: string, version: string, transaction: Transaction): Promise<string[]> {
    return idsOf(LOCK_OTHERS, [applicationId, version], transaction);
  }

  /** Locks what a version has. */
  lockOfVersion(applicationId: string, version: string, transaction: Transaction): Promise<string[]> {
    return idsOf(LOCK_OF_VERSION, [applicationId, version], transaction);
  }

  /** Whether some version has a workflow that is locked. */
  async isKept(id: string, transaction: Transaction): Promise<boolean> {
    const [row] = await transaction.run(prepared(IS_KEPT, [id]));
    return row![0] === 't';
  }

  /** Removes workflows that are locked: whole, or from what is being developed where versions of the experience have them. */
  remove(ids: readonly string[], transaction: Transaction): Promise<RemovedFlow[]> {
    return transaction.rows(prepared(REMOVE, [ids]));
  }

  /** Removes what a version has of workflows that are locked. Returns those of which nothing is left. */
  async dropVersion(ids: readonly string[], version: string, transaction: Transaction): Promise<string[]> {
    await transaction.run(prepared(DROP_VERSION, [ids, version]));
    return idsOf(DROP_FORGOTTEN, [ids], transaction);
  }
}

async function idsOf(text: string, values: readonly unknown[], transaction: Transaction): Promise<string[]> {
  const rows = await transaction.run(prepared(text, values));
  return rows.map(([id]) => id!);
}
