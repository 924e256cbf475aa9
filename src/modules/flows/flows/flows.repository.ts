import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { OwnedRows } from '../../../platform/holdings/removal.js';
import type { RecentKind } from '../../../platform/recent/recent-kinds.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { Application } from '../../applications/applications/application.resource.js';
import { seenApplication } from '../../applications/applications/applications.repository.js';
import { USERS_OF_NODE } from './custom-node-users.columns.js';
import { FLOWS } from './flow.resource.js';

/** Workflows in the recent items of users. */
export const RECENT_FLOW: RecentKind = {
  table: 'flows',
  seenBy: (caller, values) =>
    `t.application_id IN (SELECT t.id FROM applications t WHERE ${seenApplication(caller, values)})`,
};

/** Rows owned by a workflow. Each table has an index that starts with the column. */
export const FLOW_TABLES: readonly OwnedRows[] = [
  'flow_node_states',
  'flow_runs',
  'flow_run_sums',
  'flow_run_traces',
  'flow_storage',
  'flow_versions',
].map((table) => ({ table, column: 'flow_id' }));

const USER = `SELECT users.name FROM flows t, LATERAL (${USERS_OF_NODE}) users WHERE t.id = $1 LIMIT 1`;
const LOCK_TRIGGERED = `SELECT f.id FROM flows f WHERE f.id IN (
    SELECT g.flow_id FROM flow_triggers g WHERE g.application_id = $1 AND g.version = ANY ('{default,develop}')
      AND g.type = $2 AND md5(g.key) = md5($3) AND g.key = $3 GROUP BY g.flow_id LIMIT $4)
  ORDER BY f.id FOR NO KEY UPDATE OF f`;

/** Stores workflows. */
export class FlowsRepository extends repositoryOf(FLOWS) {
  /** Returns the name of a workflow that executes the custom node in any version, or `undefined`. */
  async userOf(id: string, transaction: Transaction): Promise<string | undefined> {
    const [user] = await transaction.rows<{ name: string }>(prepared(USER, [id]));
    return user?.name;
  }

  /** Throws `404` if the application does not have the workflow. */
  async assertExists(applicationId: string, id: string): Promise<void> {
    if (!(await this.rows.existsBy({ applicationId, id }))) throw new NotFound('Flow');
  }

  /** Locks up to `max` workflows that have the trigger in the default version or the development version. */
  async lockTriggered(
    applicationId: string,
    { type, key }: { type: string; key: string },
    max: number,
    transaction: Transaction,
  ): Promise<string[]> {
    const rows = await transaction.run(prepared(LOCK_TRIGGERED, [applicationId, type, key, max]));
    return rows.map(([id]) => id!);
  }

  /** Returns the name of the application, for audit log entries. */
  async applicationName(applicationId: string, { manager }: Transaction): Promise<string> {
    const where = { id: applicationId };
    return (await manager.findOneOrFail(Application, { select: { id: true, name: true }, where })).name;
  }
}
