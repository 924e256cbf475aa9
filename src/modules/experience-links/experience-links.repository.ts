import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../platform/access/request.js';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runList, type RunListOptions } from '../../platform/list/run-list.js';
import { StoredPage } from '../../platform/response/answers.js';
import { ENDPOINT_COMPUTED } from '../experience-endpoints/endpoint.columns.js';
import { ExperienceEndpoint } from '../experience-endpoints/experience-endpoint.resource.js';
import type { KnownVersion } from '../experience-versions/experience-versions.repository.js';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runList } from '../../platform/list/run-list.js';
import { Stored, StoredPage } from '../../platform/response/answers.js';
import { DEVELOP } from '../experience-versions/experience-version.columns.js';
import { ExperienceView } from '../experience-views/experience-view.resource.js';
import { FROZEN_VIEW_COMPUTED, VIEW_COMPUTED } from '../experience-views/view.columns.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from '../flows/flow.columns.js';
import { FlowVersion } from '../flows/flow-version.resource.js';
import { Flow } from '../flows/flow.resource.js';

const FIRST: Omit<ListParameters, 'sortField'> = { sortDirection: 'asc', page: 0, perPage: 1000 };
const FLOW = new RowShape(Flow, FLOW_COMPUTED);
const FLOW_VERSION = new RowShape(FlowVersion, FLOW_VERSION_COMPUTED);
const VIEW = new RowShape(ExperienceView, VIEW_COMPUTED);
const FROZEN_VIEW = new RowShape(ExperienceView, FROZEN_VIEW_COMPUTED);
const ENDPOINT = new RowShape(ExperienceEndpoint, ENDPOINT_COMPUTED);
/** A node names a view anywhere in its configuration. */
const NAMED = `jsonb_path_exists(t.nodes, '$[*].config.** ? (@ == $id)', jsonb_build_object('id', $2::text))`;
const ANSWERS_WITH = (reply: string) => `(t.${reply}->>'type' = 'page' AND lower(t.${reply}->>'value') = $2)`;
const ANSWERS = `(${['static_reply', 'unauthorized_reply'].map(ANSWERS_WITH).join(' OR ')})`;
/** What a view stands in, what stands in it, the components that it has, and what has it as a component. */
const BESIDE = `t.id <> $2 AND (t.id = $3 OR t.layout_id = $2
  OR (t.view_type = 'component' AND t.name = ANY ($4::text[])) OR coalesce(t.body ~ $5, false))`;

/** A view, and what of it others are linked by. */
export interface LinkedView {
  id: string;
  layoutId: string | null;
  /** The names of the components in its template. */
  components: readonly string[];
  /** What finds it in the templates of others, where it is a component. */
  pattern: string | null;
}

/** Where a list is from, and what of it is meant. */
interface Links extends Pick<RunListOptions, 'table' | 'values' | 'where'> {
  sortField: string;
}

/** What views of experiences are linked with, as they are being developed or as a version keeps them. */
/** A version of an experience: its name, and its id, but that of `develop`, which keeps no rows of its own. */
export interface PlaceInExperience {
  application: ApplicationAccess;
  version: string;
  versionId?: string;
}

/** The most that is answered of a kind. */
export const MOST_LINKED = 1000;
const FIRST: Omit<ListParameters, 'sortField'> = { sortDirection: 'asc', page: 0, perPage: MOST_LINKED };
const FLOW = new RowShape(Flow, FLOW_COMPUTED);
const FLOW_VERSION = new RowShape(FlowVersion, FLOW_VERSION_COMPUTED);
const VIEWS = {
  developed: {
    shape: new RowShape(ExperienceView, VIEW_COMPUTED),
    rows: 'experience_views t WHERE t.application_id = $1',
  },
  frozen: {
    shape: new RowShape(ExperienceView, FROZEN_VIEW_COMPUTED),
    rows: 'experience_view_versions t WHERE t.application_id = $1 AND t.version_id = $2',
  },
} as const;

/** SQL of the ids, a column of triggers `g` of the endpoint `$2`, in what has one of the versions. */
const triggeredBy = (
  column: string,
  versions: string,
  more = '',
) => `ARRAY(SELECT g.${column} FROM flow_triggers g
  WHERE g.application_id = $1 AND g.version = ANY (${versions}) AND g.type = 'endpoint' AND md5(g.key) = md5($2)
    AND g.key = $2${more})`;
/** Workflows of the experience are linked as they are in its version, those of the application with the version that they name. */
const HEARS_VERSION = ` AND CASE (SELECT f.flow_class FROM flows f WHERE f.id = g.flow_id)
    WHEN 'experience' THEN $3 = '${DEVELOP}' ELSE coalesce(g.config->>'experienceVersion', '${DEVELOP}') = $3 END`;
const FLOWS_TRIGGERED = `t.id = ANY (${triggeredBy('flow_id', `'{develop,default}'`, HEARS_VERSION)})`;
const VERSIONS_TRIGGERED = `t.id = ANY (${triggeredBy('flow_version_id', 'ARRAY[$3::text]')})`;

/** What hangs together with parts of experiences. */
@Injectable()
export class ExperienceLinksRepository {
  constructor(private readonly database: Database) {}

  views(
    application: OwnedApplication,
    { id, layoutId, components, pattern }: LinkedView,
    version?: KnownVersion,
  ): Promise<StoredPage<ExperienceView>> {
    const values = [application.id, id, layoutId, components, pattern];
    const links = { where: [BESIDE], sortField: 'name' };
    // An id is that of one row alone where the rows are those of one version.
    const rows = '(SELECT k.* FROM experience_view_versions k WHERE k.version_id = $6)';
    return version
      ? this.page(FROZEN_VIEW, application, { ...links, table: rows, values: [...values, version.id] })
      : this.page(VIEW, application, { ...links, table: 'experience_views', values });
  }

  endpoints(application: OwnedApplication, { id }: LinkedView): Promise<StoredPage<ExperienceEndpoint>> {
    const links = { where: [ANSWERS], sortField: 'route', values: [application.id, id] };
    return this.page(ENDPOINT, application, { ...links, table: 'experience_endpoints' });
  }

  flows(application: OwnedApplication, { id }: LinkedView): Promise<StoredPage<Flow>> {
    const links = { where: [NAMED], sortField: 'name', values: [application.id, id] };
    return this.page(FLOW, application, { ...links, table: 'flows' });
  }

  /** Those that a version keeps. */
  flowVersions(
    application: OwnedApplication,
    { id }: LinkedView,
    { name }: KnownVersion,
  ): Promise<StoredPage<FlowVersion>> {
    const where = ['t.version = $3', `t.flow_class = 'experience'`, NAMED];
    const links = { where, sortField: 'version', values: [application.id, id, name] };
    return this.page(FLOW_VERSION, application, { ...links, table: 'flow_versions' });
  }

  private async page<T>(
    shape: RowShape<T>,
    { id, ownerId: owner }: OwnedApplication,
    { where, sortField, ...rows }: Links,
  ): Promise<StoredPage<T>> {
    const { items, envelope } = await runList(this.database, shape, {
      ...rows,
      owner,
      where: ['t.application_id = $1', ...where],
      searchedBy: 'experienceViewId',
      list: { ...FIRST, sortField },
    });
    return new StoredPage(items, { ...envelope, applicationId: id });
  /** The views of a version that meet a condition, whose last parameter is `value`; by name. */
  async views(
    { application, versionId }: PlaceInExperience,
    condition: (parameter: string) => string,
    value: unknown,
  ): Promise<Stored<ExperienceView>[]> {
    const { shape, rows } = VIEWS[versionId === undefined ? 'developed' : 'frozen'];
    const values: unknown[] = [application.id, ...(versionId === undefined ? [] : [versionId])];
    const meant = condition(`$${values.push(value)}`);
    const text = shape.select(`FROM ${rows} AND ${meant} ORDER BY t.name, t.id LIMIT ${MOST_LINKED}`);
    return (await this.database.run({ text, values })).map((row) => new Stored(shape, row));
  }

  /** The workflows that requests to an endpoint run, by name: those of the application, and in `develop` those of the experience. */
  flowsOf({ application, version }: PlaceInExperience, endpointId: string): Promise<StoredPage<Flow>> {
    return runList(this.database, FLOW, {
      table: 'flows',
      owner: application.ownerId,
      where: ['t.application_id = $1', FLOWS_TRIGGERED],
      values: [application.id, endpointId, version],
      list: { ...FIRST, sortField: 'name' },
    });
  }

  /** The same of the experience in a version. */
  flowVersionsOf(
    { application, version }: PlaceInExperience,
    endpointId: string,
  ): Promise<StoredPage<FlowVersion>> {
    return runList(this.database, FLOW_VERSION, {
      table: 'flow_versions',
      owner: application.ownerId,
      where: ['t.application_id = $1', `t.flow_class = 'experience'`, VERSIONS_TRIGGERED],
      values: [application.id, endpointId, version],
      list: { ...FIRST, sortField: 'flowId' },
    });
  }
}
