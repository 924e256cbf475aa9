import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RowShape, type Computed, type Row } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { withKey } from '../../platform/list/query-entries.js';
import { runList } from '../../platform/list/run-list.js';
import type { Resource } from '../../platform/resource.js';
import { StoredPage } from '../../platform/response/answers.js';
import { DEVELOPED_COMPUTED, FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from './flow-columns.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import type { FlowsByVersionQuery, FlowsQuery } from './flows.query.js';

/** Where the items of a list come from. */
interface Source<T> {
  /** Rows that the statement calls `t`. */
  table: string;
  shape: RowShape<T>;
  /** What is counted for the items of the page alone, in one more statement, over rows `t` of a table. */
  counts: readonly Computed[];
  countedIn: string;
}

const ofWorkflow: readonly Computed[] = [
  { property: 'name', kind: 'text', sql: 't.name' },
  { property: 'description', kind: 'text', sql: 't.description' },
];
const FLOWS: Source<Flow> = {
  table: 'flows',
  shape: new RowShape(Flow),
  counts: FLOW_COMPUTED,
  countedIn: 'flows',
};
const VERSIONS: Source<FlowVersion> = {
  table: 'flow_versions',
  shape: new RowShape(FlowVersion),
  counts: FLOW_VERSION_COMPUTED,
  countedIn: 'flow_versions',
};
const NAMED: Source<FlowVersion> = {
  ...VERSIONS,
  // The joins that seem superfluous let indexes of either table that begin with them be used.
  table: `(SELECT v.*, f.name, f.description, f.live_triggers FROM flow_versions v JOIN flows f
    ON f.id = v.flow_id AND f.application_id = v.application_id AND f.flow_class = v.flow_class)`,
  shape: new RowShape(FlowVersion, ofWorkflow),
};
const DEVELOPED: Source<FlowVersion> = {
  table: '(SELECT f.*, f.id AS flow_id FROM flows f WHERE f.in_develop)',
  shape: new RowShape(FlowVersion, [
    ...ofWorkflow,
    { property: 'version', kind: 'plain', sql: `'develop'` },
    { property: 'notes', kind: 'text', sql: 'NULL::text' },
  ]),
  counts: DEVELOPED_COMPUTED,
  countedIn: 'flows',
};

/** A workflow with the graph of one of its versions in the place of its own. */
const VERSION_OF_FLOW = `SELECT t.id, t.name, t.creation_date, t.last_updated, t.flow_class, t.enabled, t.default_version_id,
  t.custom_node_supports, v.triggers, v.nodes FROM flow_versions v WHERE v.flow_id = t.id`;

/** Lists of workflows and of their versions. */
@Injectable()
export class FlowListsService {
  constructor(private readonly database: Database) {}

  async flows(applicationId: string, query: FlowsQuery): Promise<StoredPage<Flow>> {
    const { allVersions, flowClass, list } = query;
    const { where, values } = conditionsOf(applicationId, query);
    const page = await this.page(FLOWS, where, values, allVersions ? inAnyVersion(list) : list);
    return within(page, { applicationId, ...(list.condition ? {} : { flowClass }) });
  }

  async byVersion(applicationId: string, query: FlowsByVersionQuery): Promise<StoredPage<FlowVersion>> {
    const { version, list } = query;
    if (version === 'default')
      throw new ValidationError('version must be develop or the name of versions; none can be named default');
    const { where, values } = conditionsOf(applicationId, query);
    if (version === 'develop')
      return within(await this.page(DEVELOPED, where, values, list), { applicationId });
    where.push(`t.version = $${values.push(version)}`);
    return within(await this.page(NAMED, where, values, list), { applicationId });
  }

  async versions(
    applicationId: string,
    flowId: string,
    list: ListParameters,
  ): Promise<StoredPage<FlowVersion>> {
    const where = ['t.application_id = $1', 't.flow_id = $2'];
    const page = await this.page(VERSIONS, where, [applicationId, flowId], list);
    if (page.envelope.totalCount === 0) await this.demandFlow(applicationId, flowId);
    return within(page, { applicationId, flowId });
  }

  private async page<T extends Resource>(
    { table, shape, counts, countedIn }: Source<T>,
    where: readonly string[],
    values: readonly unknown[],
    list: ListParameters,
  ): Promise<StoredPage<T>> {
    const page = await runList(this.database, shape, { table, where, values, list });
    const ids = page.items.map((item) => item.text('id'));
    if (ids.length === 0) return page;
    const columns = counts.map(({ sql }) => sql).join(', ');
    const text = `SELECT t.id, ${columns} FROM ${countedIn} t WHERE t.id = ANY($1::text[])`;
    const rows = await this.database.run(prepared(text, [ids]));
    const counted = new Map(rows.map(([id, ...row]) => [id!, row]));
    const items = page.items.map((item) => item.with(membersOf(counts, counted.get(item.text('id')!))));
    return new StoredPage(items, page.envelope);
  }

  private async demandFlow(applicationId: string, flowId: string): Promise<void> {
    const text = 'SELECT FROM flows WHERE application_id = $1 AND id = $2';
    const [flow] = await this.database.run(prepared(text, [applicationId, flowId]));
    if (!flow) throw new NotFound('Flow');
  }
}

/** What the rows of a list have to be; an advanced query takes the place of all but the application. */
function conditionsOf(
  applicationId: string,
  { flowClass, triggerFilter, list }: FlowsQuery | FlowsByVersionQuery,
): { where: string[]; values: unknown[] } {
  const where = ['t.application_id = $1'];
  const values: unknown[] = [applicationId];
  if (list.condition) return { where, values };
  where.push(`t.flow_class = $${values.push(flowClass)}`);
  if (triggerFilter?.length) {
    const triggers = triggerFilter.flatMap(({ key, ...rest }) => withKey(rest, key));
    const anyOf = triggers.map((trigger) => `[${trigger}]`);
    where.push(`t.live_triggers @> ANY($${values.push(anyOf)}::jsonb[])`);
  }
  return { where, values };
}

/** The same query, met also by a workflow of which some version would meet it. */
function inAnyVersion({ condition, ...list }: ListParameters): ListParameters {
  if (!condition) return list;
  return {
    ...list,
    condition(values) {
      const met = condition(values);
      // Within the subquery `t` is a row of its own, so the condition is the same text with the same values.
      return `(${met} OR EXISTS (SELECT FROM (${VERSION_OF_FLOW}) t WHERE ${met}))`;
    },
  };
}

/** Members for an item, as JSON; what is absent is left out. */
function membersOf(counts: readonly Computed[], row: Row | undefined): Record<string, string> {
  const members = counts.map(({ property, kind }, i) => [property, row?.[i], kind] as const);
  return Object.fromEntries(
    members.flatMap(([property, value, kind]) =>
      value === null || value === undefined
        ? []
        : [[property, kind === 'boolean' ? String(value === 't') : value]],
    ),
  );
}

function within<T>({ items, envelope }: StoredPage<T>, more: object): StoredPage<T> {
  return new StoredPage(items, { ...envelope, ...more });
}
