import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredPage } from '../../../platform/responses/stored-resources.js';
import { DEVELOPED_COMPUTED, FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from './flow.columns.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import type { FlowTriggerFilter } from './flow-queries.js';
import type { FlowsByVersionQuery, FlowsQuery } from './flows.query.js';
import { isId } from '../../../workflows/graph/graph.js';

/** Source of the items of a list. */
interface Source<T> {
  /** SQL of the rows, which the statement refers to as `t`. */
  table: string;
  /** Column of the workflow ID. */
  flow: string;
  shape: RowShape<T>;
}

const FLOW_COLUMNS = [
  { property: 'name', kind: 'text', sql: 't.name' },
  { property: 'description', kind: 'text', sql: 't.description' },
] as const;
const FLOWS: Source<Flow> = { table: 'flows', flow: 't.id', shape: new RowShape(Flow, FLOW_COMPUTED) };
const NAMED_VERSIONS: Source<FlowVersion> = {
  // `OFFSET 0` makes the planner read workflows by primary key, regardless of its row estimates.
  table: `(SELECT v.*, f.name, f.description FROM flow_versions v JOIN LATERAL (
    SELECT f.name, f.description FROM flows f WHERE f.id = v.flow_id OFFSET 0) f ON true)`,
  flow: 't.flow_id',
  shape: new RowShape(FlowVersion, [...FLOW_COLUMNS, ...FLOW_VERSION_COMPUTED]),
};
const DEVELOPED: Source<FlowVersion> = {
  table: '(SELECT f.*, f.id AS flow_id FROM flows f WHERE f.in_develop)',
  flow: 't.id',
  shape: new RowShape(FlowVersion, [
    ...FLOW_COLUMNS,
    { property: 'version', kind: 'plain', sql: `'develop'` },
    { property: 'notes', kind: 'text', sql: 'NULL::text' },
    ...DEVELOPED_COMPUTED,
  ]),
};

/** SQL of the number of workflows of the class `$2` in an application. */
const TOTAL = countSql('$1', `('flowCount:' || $2::text)`);

/** A workflow with the graph of one of its versions instead of its own. */
const VERSION_OF_FLOW = `SELECT t.id, t.name, t.creation_date, t.last_updated, t.flow_class, t.enabled, t.default_version_id,
  t.custom_node_supports, v.triggers, v.nodes FROM flow_versions v WHERE v.flow_id = t.id`;

/** Lists workflows and versions across an application. */
@Injectable()
export class FlowListsRepository {
  constructor(private readonly database: Database) {}

  flows(application: ApplicationAccess, query: FlowsQuery): Promise<StoredPage<Flow>> {
    const list = query.allVersions ? inAnyVersion(query.list) : query.list;
    return this.page(FLOWS, application, { ...query, list });
  }

  /** Returns the versions with a name. */
  namedVersions(
    application: ApplicationAccess,
    query: FlowsByVersionQuery,
  ): Promise<StoredPage<FlowVersion>> {
    return this.page(NAMED_VERSIONS, application, query, query.version);
  }

  /** Returns the development versions. */
  developVersions(
    application: ApplicationAccess,
    query: FlowsByVersionQuery,
  ): Promise<StoredPage<FlowVersion>> {
    return this.page(DEVELOPED, application, query);
  }

  /** An advanced query replaces all conditions except application and version. */
  private async page<T extends Flow | FlowVersion>(
    { table, flow, shape }: Source<T>,
    { id: applicationId, ownerId: owner }: ApplicationAccess,
    { flowClass, triggerFilter, list }: Pick<FlowsQuery, 'flowClass' | 'triggerFilter' | 'list'>,
    version?: string,
  ): Promise<StoredPage<T>> {
    const where = ['t.application_id = $1'];
    const values: unknown[] = [applicationId];
    if (!list.condition) where.push(`t.flow_class = $${values.push(flowClass)}`);
    if (version !== undefined) where.push(`t.version = $${values.push(version)}`);
    const filtered = !list.condition && triggerFilter !== undefined && triggerFilter.length > 0;
    if (filtered) where.push(listensTo(flow, triggerFilter, values));
    // Totals are stored by class, but not for versions with a name, and not for experience workflows, which can exist in
    // versions only.
    const isKept =
      !list.condition &&
      !filtered &&
      version === undefined &&
      (table === FLOWS.table || flowClass !== 'experience');
    const total = isKept ? TOTAL : undefined;
    const searchedBy = filtered ? 'triggerFilter' : undefined;
    const options = { table, owner, where, values, searchedBy, list, total };
    const { items, envelope } = await runList(this.database, shape, options);
    return new StoredPage(items, { ...envelope, applicationId });
  }
}

/**
 * Returns an SQL condition: the default version of a workflow, given by the SQL of its ID, has one of the triggers.
 * Avoids EXISTS, which the planner can convert to a join; per workflow, the cost is independent of the data
 * distribution.
 */
function listensTo(flow: string, triggers: readonly FlowTriggerFilter[], values: unknown[]): string {
  const meant = triggers.map(({ type, key }) => {
    const conditions = ['true'];
    if (type !== undefined) conditions.push(`g.type = $${values.push(type)}`);
    if (key !== undefined) {
      const keys = `$${values.push([key, ...(isId(key) ? [key.toLowerCase()] : [])])}::text[]`;
      conditions.push(`g.key = ANY(${keys})`);
    }
    return conditions.join(' AND ');
  });
  return `(SELECT true FROM flow_triggers g WHERE g.flow_id = ${flow} AND g.version = 'default'
    AND (${meant.map((conditions) => `(${conditions})`).join(' OR ')}) LIMIT 1)`;
}

/** Extends the query so that it also matches workflows of which any version matches. */
function inAnyVersion({ condition, ...list }: ListParameters): ListParameters {
  if (!condition) return list;
  return {
    ...list,
    condition(values) {
      const met = condition(values);
      // In the subquery, `t` refers to its own rows, so the condition can be reused verbatim with the same values.
      return `(${met} OR EXISTS (SELECT FROM (${VERSION_OF_FLOW}) t WHERE ${met}))`;
    },
  };
}
