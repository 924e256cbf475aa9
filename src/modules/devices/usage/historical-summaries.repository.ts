import { Injectable } from '@nestjs/common';
import { countsSql, parseCounts, withoutParts, type Counts } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { listStatement, readPage } from '../../../platform/lists/list-sql.js';
import type { HistoricalSummary } from './historical-summary.resource.js';
import { USED, type UsedResource, type UsedResourceType } from './used-resources.columns.js';
import type { UsageSubject } from './usage.repository.js';

/** Page of a list, and the total number of items on all pages. */
export interface FoundPage<T> {
  items: T[];
  total: number;
}

const NOW = `(${USED.application} UNION ALL ${USED.organization} UNION ALL ${USED.whitelabel})`;
const RESOURCE_JSON = `json_build_object('id', t.id, 'resourceType', t.resource_type, 'resourceName', t.resource_name,
  'ownerId', t.owner_id, 'ownerType', t.owner_type, 'ownerName', t.owner_name, 'creationDate', t.creation_date, 'limits', t.limits)`;
const STORED_SUMMARIES =
  '(SELECT * FROM historical_summaries WHERE instance_id = $1 AND current_period_start = $2)';
const STORE = `INSERT INTO historical_summaries (instance_id, current_period_start, resource_type, id, owner_id, owner_type, summary)
  SELECT $1, $2, r."resourceType", r."resourceId", r."ownerId", r."ownerType", r.summary FROM (
    SELECT s->>'resourceType' AS "resourceType", s->>'resourceId' AS "resourceId", s->>'ownerId' AS "ownerId",
      s->>'ownerType' AS "ownerType", s AS summary FROM jsonb_array_elements($3::jsonb) s) r
  ON CONFLICT DO NOTHING`;
const LAST_STORED = `SELECT max(k.id) AS last FROM historical_summaries k
  WHERE k.instance_id = $1 AND k.current_period_start = $2 AND k.resource_type = $3`;
/** IDs are ordered by time, so resources created after the month have IDs greater than `$4`. */
const pageOf = (used: string) =>
  `SELECT t.* FROM (${used}) t WHERE t.id > $2 AND t.id < $4 ORDER BY t.id LIMIT $3`;
const PAGES = Object.fromEntries(Object.entries(USED).map(([type, used]) => [type, pageOf(used)])) as Record<
  UsedResourceType,
  string
>;
const countsOf = (owner: boolean) =>
  `SELECT h.id, ${countsSql('h.id', { owner })} AS counts FROM unnest($1::text[]) h (id)`;
const COUNTS = { application: countsOf(false), owner: countsOf(true), instance: countsOf(false) };

/** Stores summaries of months, and reads the resources of an instance to summarize. */
@Injectable()
export class HistoricalSummariesRepository {
  constructor(private readonly database: Database) {}

  /** Returns a page of the current resources of an instance. */
  async pageNow(instanceId: string, list: ListParameters): Promise<FoundPage<UsedResource>> {
    const { items, total } = await this.page<UsedResource>(
      NOW,
      RESOURCE_JSON,
      [instanceId],
      instanceId,
      list,
    );
    return { items: items.map((item) => ({ ...item, creationDate: new Date(item.creationDate) })), total };
  }

  /** Returns a page of the stored summaries of a past month. */
  pageStored(instanceId: string, start: Date, list: ListParameters): Promise<FoundPage<HistoricalSummary>> {
    return this.page(STORED_SUMMARIES, 't.summary', [instanceId, start], instanceId, list);
  }

  /** Returns the first resources of a type in an instance with IDs after `after` and before `before`. */
  used(
    instanceId: string,
    type: UsedResourceType,
    { after, before, most }: { after: string; before: string; most: number },
  ): Promise<UsedResource[]> {
    return this.database.rows(prepared(PAGES[type], [instanceId, after, most, before]));
  }

  /** Stores summaries of a month; existing ones are not changed. */
  async store(instanceId: string, start: Date, summaries: readonly HistoricalSummary[]): Promise<void> {
    await this.database.run(prepared(STORE, [instanceId, start, JSON.stringify(summaries)]));
  }

  /** Returns the ID of the last resource of a type whose summary of a month is stored. */
  async lastStored(instanceId: string, start: Date, type: UsedResourceType): Promise<string | undefined> {
    const [row] = await this.database.rows<{ last: string | null }>(
      prepared(LAST_STORED, [instanceId, start, type]),
    );
    return row?.last ?? undefined;
  }

  async instances(): Promise<string[]> {
    const rows = await this.database.run(prepared('SELECT i.id FROM instances i ORDER BY i.id', []));
    return rows.map(([id]) => id!);
  }

  /** Returns the counts of each resource. */
  async counts({ kind, ids }: UsageSubject): Promise<Map<string, Counts>> {
    const rows = await this.database.run(prepared(COUNTS[kind], [ids]));
    return new Map(rows.map(([id, counts]) => [id!, withoutParts(parseCounts(counts!))]));
  }

  /** Runs as a search, because the filters are arbitrary. */
  private async page<T>(
    table: string,
    columns: string,
    values: readonly unknown[],
    owner: string,
    parameters: ListParameters,
  ): Promise<FoundPage<T>> {
    const statement = listStatement({
      table,
      columns: `${columns}::text`,
      where: [],
      values,
      // A list covers a single month.
      sortColumns: { resourceId: 't.id', currentPeriodStart: 't.id' },
      filterColumns: {
        resourceId: 't.id',
        resourceType: 't.resource_type',
        ownerId: 't.owner_id',
        ownerType: 't.owner_type',
      },
      parameters,
    });
    const { rows, total } = readPage(await this.database.list(statement, { owner, parameter: 'filter' }));
    return { items: rows.map((row) => JSON.parse(row.text(0)!) as T), total };
  }
}
