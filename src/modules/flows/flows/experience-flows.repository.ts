import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/**
 * A deleted workflow, with its name and that of its application; `kept` if versions of the experience still contain it.
 */
export interface RemovedFlow {
  flowId: string;
  name: string;
  applicationName: string;
  kept: boolean;
}

const EXPERIENCE_FLOW = `f.application_id = $1 AND f.flow_class = 'experience'`;
const IN_VERSION = 'v.flow_id = f.id AND v.version = $2';
const LOCKED = 'ORDER BY f.id FOR NO KEY UPDATE OF f';
const LOCK_OTHER_FLOWS = `SELECT f.id FROM flows f
  WHERE ${EXPERIENCE_FLOW} AND f.in_develop AND NOT EXISTS (SELECT FROM flow_versions v WHERE ${IN_VERSION}) ${LOCKED}`;
const LOCK_OF_VERSION = `SELECT f.id FROM flow_versions v JOIN flows f ON f.id = v.flow_id
  WHERE v.application_id = $1 AND v.version = $2 AND f.flow_class = 'experience' ${LOCKED}`;
const LOCK_NAMED = `SELECT f.id FROM flows f WHERE ${EXPERIENCE_FLOW} AND f.in_develop AND f.name = $2 ${LOCKED}`;
const HAS_VERSIONS = 'SELECT EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = $1)';
const DROP_VERSION = `DELETE FROM flow_versions v WHERE v.flow_id = ANY($1::text[]) AND v.version = $2`;
const DROP_UNVERSIONED = `DELETE FROM flows f WHERE f.id = ANY($1::text[]) AND NOT f.in_develop
    AND NOT EXISTS (SELECT FROM flow_versions v WHERE v.flow_id = f.id)
  RETURNING f.id`;
/** Keeps the name of a workflow and its versions, and clears everything else. */
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
 * Stores experience workflows and their versions, which belong to versions of the experience. A deleted workflow is
 * kept as long as a version contains it. Before checking this, lock the workflow in a separate statement.
 */
@Injectable()
export class ExperienceFlowsRepository {
  /** Locks the workflows in development that are not part of a version. */
  lockOthers(applicationId: string, version: string, transaction: Transaction): Promise<string[]> {
    return idsOf(LOCK_OTHER_FLOWS, [applicationId, version], transaction);
  }

  /** Locks the workflows in development with a name. */
  lockNamed(applicationId: string, name: string, transaction: Transaction): Promise<string[]> {
    return idsOf(LOCK_NAMED, [applicationId, name], transaction);
  }

  /** Locks the workflows of a version. */
  lockOfVersion(applicationId: string, version: string, transaction: Transaction): Promise<string[]> {
    return idsOf(LOCK_OF_VERSION, [applicationId, version], transaction);
  }

  /** Returns whether any version contains the locked workflow. */
  async hasVersions(id: string, transaction: Transaction): Promise<boolean> {
    const [row] = await transaction.run(prepared(HAS_VERSIONS, [id]));
    return row![0] === 't';
  }

  /** Deletes locked workflows. Workflows that versions of the experience contain are only deleted from development. */
  remove(ids: readonly string[], transaction: Transaction): Promise<RemovedFlow[]> {
    return transaction.rows(prepared(REMOVE, [ids]));
  }

  /** Deletes the versions with a name of locked workflows. Returns the IDs of workflows that no longer exist at all. */
  async dropVersion(ids: readonly string[], version: string, transaction: Transaction): Promise<string[]> {
    await transaction.run(prepared(DROP_VERSION, [ids, version]));
    return idsOf(DROP_UNVERSIONED, [ids], transaction);
  }
}

async function idsOf(text: string, values: readonly unknown[], transaction: Transaction): Promise<string[]> {
  const rows = await transaction.run(prepared(text, values));
  return rows.map(([id]) => id!);
}
