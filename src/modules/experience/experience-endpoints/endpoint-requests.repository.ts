import { Injectable } from '@nestjs/common';
import { aggregateDeltas, takenSql } from '../../../platform/counts/aggregate-deltas.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { EndpointStatsQuery } from './experience-endpoints.query.js';
import { REQUEST_KEY, requestsSql } from './request.columns.js';
import { minuteOf, MAX_POINTS, type RequestSteps, type RequestWindow } from './request-window.js';

const LOCK = 7_311_956;

/** Requests to an experience that received a response, in the same minute. */
export interface AnsweredRequests {
  applicationId: string;
  /** Absent if no endpoint matched the request. */
  endpointId?: string;
  /** Name of the version that served the request. */
  version: string;
  /** Domain or slug of the request. */
  domain: string;
  statusCode: number;
  time: Date;
  requests: number;
}

/** Number of requests in a step for one value of the grouping. The first step is 0. */
export interface CountedStep {
  name: string;
  step: number;
  count: number;
}

const RECORD = `INSERT INTO experience_request_deltas (application_id, until, ${REQUEST_KEY}, requests)
  SELECT r.application_id, r.until, r.endpoint_id, r.version, r.domain, r.status_code, sum(r.requests)
  FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[])
    r (application_id, until, ${REQUEST_KEY}, requests) GROUP BY 1, 2, 3, 4, 5, 6`;

/** Discards requests of deleted applications. Existing applications are locked until their sums are stored. */
const AGGREGATE = `WITH ${takenSql('experience_request_deltas')},
  summed AS (SELECT d.application_id, s.minutes, s.until, ${REQUEST_KEY}, sum(d.requests) AS requests
    FROM taken d, LATERAL (VALUES (1, d.until),
      (60, date_trunc('hour', d.until + interval '59 minutes', 'UTC'))) s (minutes, until)
    GROUP BY 1, 2, 3, 4, 5, 6, 7),
  added AS (INSERT INTO experience_request_sums AS k (application_id, minutes, until, ${REQUEST_KEY}, requests)
    SELECT s.* FROM summed s JOIN LATERAL (
      SELECT FROM applications a WHERE a.id = s.application_id OFFSET 0 FOR KEY SHARE) a ON true
    ON CONFLICT (application_id, minutes, until, ${REQUEST_KEY}) DO UPDATE SET requests = k.requests + excluded.requests)
  SELECT count(*) AS deltas FROM taken`;

const FILTERS = ` AND ($6::text IS NULL OR s.version = $6) AND ($7::text IS NULL OR s.domain = $7)
  AND ($8::smallint IS NULL OR s.status_code = $8) AND ($9::text IS NULL OR s.endpoint_id = $9)`;
/** Name for requests without a matching endpoint. */
const NO_ENDPOINT = 'notFound';
const NAMES = {
  statusCode: 's.status_code::text',
  endpointId: `coalesce(nullif(s.endpoint_id, ''), '${NO_ENDPOINT}')`,
  version: 's.version',
  domain: 's.domain',
} as const;
const stepsBy = (name: string) => `SELECT ${name} AS name,
    (round(extract(epoch FROM s.until - $2::timestamptz) * 1000)::bigint - 1) / $5::bigint AS step, sum(s.requests) AS count
  FROM (${requestsSql(FILTERS)}) s GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${MAX_POINTS + 1}`;
const NOT_FOUND = `SELECT coalesce(sum(s.requests), 0) AS count FROM (${requestsSql(` AND s.endpoint_id = ''`)}) s`;

/** Records and counts requests to experiences. */
@Injectable()
export class EndpointRequestsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records requests of any number of applications. If it fails, nothing is recorded, so the caller can repeat it.
   */
  async record(requests: readonly AnsweredRequests[]): Promise<void> {
    const columns = [
      requests.map(({ applicationId }) => applicationId),
      requests.map(({ time }) => minuteOf(time)),
      requests.map(({ endpointId }) => endpointId ?? ''),
      requests.map(({ version }) => version),
      requests.map(({ domain }) => domain),
      requests.map(({ statusCode }) => statusCode),
      requests.map(({ requests: count }) => count),
    ];
    await this.database.transactionOnce((transaction) => transaction.run(prepared(RECORD, columns)));
  }

  /** Returns the steps with requests, at most one more than a response can contain. */
  async steps(
    { id, ownerId: owner }: { id: string; ownerId: string },
    { start, end, minutes, resolution }: RequestSteps,
    query: EndpointStatsQuery,
  ): Promise<CountedStep[]> {
    const { versionFilter, domainFilter, statusCodeFilter, endpointIdFilter, statGrouping } = query;
    const filters = [versionFilter, domainFilter, statusCodeFilter, endpointIdFilter];
    const values = [id, start, end, minutes, resolution, ...filters.map((filter) => filter ?? null)];
    const statement = { text: stepsBy(NAMES[statGrouping]), values };
    const rows = await this.database.search(statement, { owner, parameter: 'duration' });
    return rows.map(([name, step, count]) => ({ name: name!, step: Number(step), count: Number(count) }));
  }

  /** Returns the number of requests that no endpoint matched. */
  async notFound(
    { id, ownerId: owner }: { id: string; ownerId: string },
    { start, end, minutes }: RequestWindow,
  ): Promise<number> {
    const statement = { text: NOT_FOUND, values: [id, start, end, minutes] };
    const [row] = await this.database.search(statement, { owner, parameter: 'requestCountDuration' });
    return Number(row![0]);
  }

  /** Aggregates a batch of recorded requests in one worker at a time. Returns whether there may be more. */
  aggregate(): Promise<boolean> {
    return aggregateDeltas(this.database, LOCK, AGGREGATE);
  }
}
