import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Transaction } from '../../../platform/database/database.js';
import { columnName } from '../../../platform/database/naming.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { assertWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from './flow.columns.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import type { ExistingFlow } from './flows-import.rules.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';

const SHAPES = {
  flows: new RowShape(Flow, FLOW_COMPUTED),
  flow_versions: new RowShape(FlowVersion, FLOW_VERSION_COMPUTED),
} as const;
type Table = keyof typeof SHAPES;

/** Inserts any number of rows in one statement with one parameter. */
const insert = (table: Table) =>
  `INSERT INTO ${table} SELECT r.* FROM json_populate_recordset(NULL::${table}, $1::json) r`;
const select = (table: Table) =>
  SHAPES[table].select(
    `FROM ${table} t WHERE t.id = ANY($1::text[]) ORDER BY array_position($1::text[], t.id)`,
  );
/**
 * Locks the workflows, so that versions cannot be created or deleted concurrently. Names are read once the locks are
 * held.
 */
const LOCKED = `SELECT id, flow_class FROM flows WHERE application_id = $1 AND id = ANY($2::text[])
  ORDER BY id FOR NO KEY UPDATE`;
const NAMES = `SELECT flow_id, array_agg(version) AS names FROM flow_versions
  WHERE application_id = $1 AND flow_id = ANY($2::text[]) GROUP BY flow_id`;
/** Counts the workflows of an application. */
const USED = countSql('$2', `'flowCount'`, { parted: true });

/** Inserts the rows of an import in batches. */
@Injectable()
export class FlowsImportRepository {
  /** Throws `400` if the application would exceed its limit of workflows. */
  assertWithinLimit(application: ApplicationAccess, more: number, { manager }: Transaction): Promise<void> {
    return assertWithinLimit(manager, limitedOwner(application), 'flow', USED, [application.id], more);
  }

  /** Locks workflows of the application and returns them with the names of their versions. */
  async existing(
    applicationId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, ExistingFlow>> {
    if (ids.length === 0) return new Map();
    const values = [applicationId, ids];
    const flows = await transaction.rows<{ id: string; flowClass: FlowClass }>(prepared(LOCKED, values));
    const versions = await transaction.rows<{ flowId: string; names: string[] }>(prepared(NAMES, values));
    const names = new Map(versions.map((row) => [row.flowId, new Set(row.names)]));
    return new Map(
      flows.map(({ id, flowClass }) => [id, { flowClass, versions: names.get(id) ?? new Set() }]),
    );
  }

  /** Inserts rows, given by property names. */
  async add(table: Table, rows: readonly object[], transaction: Transaction): Promise<void> {
    if (rows.length === 0) return;
    const columns = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([property, value]) => [columnName(property), value])),
    );
    await transaction.run(prepared(insert(table), [JSON.stringify(columns)]));
  }

  /** Returns workflows as in responses, in the order of the IDs. */
  flows(ids: readonly string[], transaction: Transaction): Promise<Flow[]> {
    return this.shown(SHAPES.flows, 'flows', ids, transaction);
  }

  /** Returns versions as in responses, in the order of the IDs. */
  versions(ids: readonly string[], transaction: Transaction): Promise<FlowVersion[]> {
    return this.shown(SHAPES.flow_versions, 'flow_versions', ids, transaction);
  }

  private async shown<T>(
    shape: RowShape<T>,
    table: Table,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<T[]> {
    if (ids.length === 0) return [];
    const rows = await transaction.run(prepared(select(table), [ids]));
    return rows.map((row) => shape.toObject(row));
  }
}
