import type { ApplicationAccess } from '../../../platform/access/request.js';
import { violatedUnique, type Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runWholeList } from '../../../platform/lists/run-list.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource, type StoredPage } from '../../../platform/responses/stored-resources.js';
import { FROZEN_ENDPOINT_COMPUTED } from './endpoint.columns.js';
import { FIELD } from './endpoint.rules.js';
import {
  EXPERIENCE_ENDPOINT_VERSIONS,
  EXPERIENCE_ENDPOINTS,
  ExperienceEndpoint,
} from './experience-endpoint.resource.js';
import { requestsSql } from './request.columns.js';
import type { RequestWindow } from './request-window.js';

const { table, title } = EXPERIENCE_ENDPOINTS;
const { table: versions } = EXPERIENCE_ENDPOINT_VERSIONS;
const BY_ID = `FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`;
const FROZEN = new RowShape(ExperienceEndpoint, FROZEN_ENDPOINT_COMPUTED);
const FROM_VERSION = `FROM ${versions} t WHERE t.application_id = $1 AND t.version_id = $2 AND t.id = $3`;
/** Unique constraint of `experience_routes`: a method and pattern belong to one endpoint of an application. */
const ROUTE_INDEX = 'experience_routes_taken';
const DEVELOP_COLUMN = (column: string) =>
  `(SELECT o.${column} FROM ${table} o WHERE o.application_id = $1 AND o.id = $2)`;
const ROUTE_HOLDER = `SELECT e.id, e.method, e.route FROM experience_routes r JOIN ${table} e ON e.id = r.endpoint_id
  WHERE r.application_id = $1 AND r.endpoint_id <> $2 AND r.method = coalesce($3, ${DEVELOP_COLUMN('method')})
    AND r.pattern = ANY (coalesce($4::text[], ${DEVELOP_COLUMN('patterns')})) LIMIT 1`;

/** SQL of endpoint rows with the sort keys of lists; `counts` is set if the list is sorted by requests. */
const listed = (rows: string, counts = ''): string =>
  `(SELECT e.*, e.precedence COLLATE "C" AS "order"${counts && ', coalesce(c.requests, 0) AS request_count'} FROM ${rows} e${counts})`;
const COUNTS = ` LEFT JOIN (SELECT s.endpoint_id, sum(s.requests) AS requests FROM (${requestsSql()}) s GROUP BY 1) c
  ON c.endpoint_id = e.id`;

/** Filter and order of a list of endpoints. */
export interface EndpointList {
  list: ListParameters;
  /** ID of the version that contains the endpoints; absent for `develop`. */
  versionId?: string;
  experienceGroupId?: string;
  /** Period whose requests the list is sorted by, if any. */
  counted?: RequestWindow;
}

/** Method and patterns of a route. Absent properties are unchanged. */
type Route = Partial<Pick<ExperienceEndpoint, 'method' | 'patterns'>>;

/** Repository of endpoints in `develop` and in versions. */
export class ExperienceEndpointsRepository extends repositoryOf(EXPERIENCE_ENDPOINTS) {
  /** Returns all endpoints that match the filters. */
  listOf(
    { id, ownerId: owner }: ApplicationAccess,
    asked: EndpointList,
  ): Promise<StoredPage<ExperienceEndpoint>> {
    const { list, versionId, experienceGroupId } = asked;
    const counted = list.sortField === 'requestCount' ? asked.counted : undefined;
    const values: unknown[] = [id, ...(counted ? [counted.start, counted.end, counted.minutes] : [])];
    const where = ['t.application_id = $1'];
    let links = 'experience_group_endpoints l WHERE true';
    if (versionId !== undefined) {
      const version = `$${values.push(versionId)}`;
      where.push(`t.version_id = ${version}`);
      links = `experience_endpoint_version_groups l WHERE l.version_id = ${version}`;
    }
    if (experienceGroupId !== undefined)
      where.push(
        `t.id = ANY (ARRAY(SELECT l.endpoint_id FROM ${links} AND l.group_id = $${values.push(experienceGroupId)}))`,
      );
    return runWholeList(this.database, versionId === undefined ? this.shape : FROZEN, {
      table: listed(versionId === undefined ? table : versions, counted ? COUNTS : ''),
      owner,
      where,
      values,
      searchedBy: counted ? 'requestCountDuration' : undefined,
      list,
    });
  }

  /** Returns an endpoint in a version. Throws 404 if it does not exist. */
  async findInVersion(
    applicationId: string,
    versionId: string,
    id: string,
  ): Promise<StoredResource<ExperienceEndpoint>> {
    const [row] = await this.database.read(
      prepared(FROZEN.select(FROM_VERSION), [applicationId, versionId, id]),
    );
    if (!row) throw new NotFound(title);
    return new StoredResource(FROZEN, row);
  }

  /** Returns an endpoint with the changes of the current transaction. */
  async reload(
    applicationId: string,
    id: string,
    transaction: Transaction,
  ): Promise<StoredResource<ExperienceEndpoint>> {
    const [row] = await transaction.run(prepared(this.shape.select(BY_ID), [applicationId, id]));
    return new StoredResource(this.shape, row!);
  }

  /**
   * Runs `store` and throws 400 naming the conflicting endpoint if the route is taken. `id` is empty for a new
   * endpoint.
   */
  async withRouteCheck<T>(
    applicationId: string,
    id: string,
    route: Route,
    store: () => Promise<T>,
  ): Promise<T> {
    try {
      return await store();
    } catch (error) {
      if (violatedUnique(error) !== ROUTE_INDEX) throw error;
      const values = [applicationId, id, route.method ?? null, route.patterns ?? null];
      const [holder] = await this.database.rows<{ id: string; method: string; route: string }>(
        prepared(ROUTE_HOLDER, values),
      );
      // The conflicting endpoint may have been deleted since.
      const named = holder
        ? `the endpoint ${holder.method} ${holder.route} (${holder.id})`
        : 'another endpoint';
      throw new ValidationError(`${FIELD}.route is not available: ${named} matches the same paths`);
    }
  }
}
