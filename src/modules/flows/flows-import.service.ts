import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { changedBy, createdBy } from '../../platform/authored.js';
import { Database, type Runner } from '../../platform/database/database.js';
import { columnName } from '../../platform/database/naming.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { countSql } from '../../platform/counts/counts.js';
import { demandWithinLimit, limitedOwner } from '../../platform/limits.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from './flow-columns.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import type { FlowsImportPost, FlowsImportResult } from './flows-import.resource.js';
import { importOf, otherFlowsOf, rowsOf, type ExistingFlow } from './flows-import.rules.js';
import type { FlowClass } from './graph/graph.js';

const FLOWS = { table: 'flows', shape: new RowShape(Flow, FLOW_COMPUTED) };
const VERSIONS = { table: 'flow_versions', shape: new RowShape(FlowVersion, FLOW_VERSION_COMPUTED) };

/** Takes workflows with their versions from one application to another. */
@Injectable()
export class FlowsImportService {
  constructor(private readonly database: Database) {}

  /** All or nothing, in as many statements whatever the number of items. */
  import(application: ApplicationAccess, post: FlowsImportPost, by: Author): Promise<FlowsImportResult> {
    const imported = importOf(post);
    const { flows, versions, flowIds, versionIds } = imported;
    const others = otherFlowsOf(imported);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      if (flows.length > 0) {
        const used = `${countSql('$2', `'flowCount'`, { parted: true })} + ${flows.length - 1}`;
        await demandWithinLimit(manager, limitedOwner(application), 'flow', used, [application.id]);
      }
      const rows = rowsOf(imported, await existingFlows(manager, application.id, others));
      const now = new Date();
      const common = {
        applicationId: application.id,
        creationDate: now,
        lastUpdated: now,
        ...createdBy(by),
        ...changedBy(by),
      };
      await insert(manager, FLOWS.table, rows.flows, common);
      await insert(manager, VERSIONS.table, rows.versions, common);
      await this.log(manager, application, by);
      return {
        flows: await stored(transaction, FLOWS, flows),
        flowVersions: await stored(transaction, VERSIONS, versions),
        importedFlowIdMap: Object.fromEntries(flowIds),
        importedVersionIdMap: Object.fromEntries(versionIds),
      };
    });
  }

  private async log(
    manager: EntityManager,
    { id, ownerId, ownerType }: ApplicationAccess,
    by: Author,
  ): Promise<void> {
    if (ownerType !== 'organization') return;
    const [application] = await manager.query<{ name: string }[]>(
      'SELECT name FROM applications WHERE id = $1',
      [id],
    );
    const primary = { type: 'Application', id, name: application?.name };
    await writeEntry(manager, by, { organization: { id: ownerId, primary } });
  }
}

/** Workflows of the application with the names of their versions, locked: nobody else makes or removes one meanwhile. */
async function existingFlows(
  manager: EntityManager,
  applicationId: string,
  ids: readonly string[],
): Promise<Map<string, ExistingFlow>> {
  if (ids.length === 0) return new Map();
  const flows = await manager.query<{ id: string; flowClass: FlowClass }[]>(
    `SELECT id, flow_class AS "flowClass" FROM flows WHERE application_id = $1 AND id = ANY($2::text[])
     ORDER BY id FOR NO KEY UPDATE`,
    [applicationId, ids],
  );
  const versions = await manager.query<{ flowId: string; names: string[] }[]>(
    `SELECT flow_id AS "flowId", array_agg(version) AS names FROM flow_versions
     WHERE application_id = $1 AND flow_id = ANY($2::text[]) GROUP BY flow_id`,
    [applicationId, ids],
  );
  const names = new Map(versions.map((row) => [row.flowId, new Set(row.names)]));
  return new Map(flows.map(({ id, flowClass }) => [id, { flowClass, versions: names.get(id) ?? new Set() }]));
}

/** Stores rows, by the names of their properties, in one statement with one parameter. */
async function insert(
  manager: EntityManager,
  table: string,
  rows: readonly object[],
  common: object,
): Promise<void> {
  if (rows.length === 0) return;
  const columns = rows.map((row) =>
    Object.fromEntries(
      Object.entries({ ...common, ...row }).map(([property, value]) => [columnName(property), value]),
    ),
  );
  await manager.query(
    `INSERT INTO ${table} SELECT r.* FROM json_populate_recordset(NULL::${table}, $1::json) r`,
    [JSON.stringify(columns)],
  );
}

/** The rows of items as answers show them, in the order of the items. */
async function stored<T>(
  runner: Runner,
  { table, shape }: { table: string; shape: RowShape<T> },
  items: readonly { id: string }[],
): Promise<T[]> {
  if (items.length === 0) return [];
  const text = shape.select(
    `FROM ${table} t WHERE t.id = ANY($1::text[]) ORDER BY array_position($1::text[], t.id)`,
  );
  const rows = await runner.run(prepared(text, [items.map(({ id }) => id)]));
  return rows.map((row) => shape.toObject(row));
}
