import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList, type RunListOptions } from '../../../platform/lists/run-list.js';
import { StoredPage } from '../../../platform/responses/stored-resources.js';
import { ENDPOINT_COMPUTED, FROZEN_ENDPOINT_COMPUTED } from '../experience-endpoints/endpoint.columns.js';
import { ExperienceEndpoint } from '../experience-endpoints/experience-endpoint.resource.js';
import type { KnownVersion } from '../experience-versions/experience-versions.repository.js';
import { ExperienceView } from '../experience-views/experience-view.resource.js';
import { FROZEN_VIEW_COMPUTED, VIEW_COMPUTED } from '../experience-views/view.columns.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from '../../flows/flows/flow.columns.js';
import { FlowVersion } from '../../flows/flows/flow-version.resource.js';
import { Flow } from '../../flows/flows/flow.resource.js';

const FIRST_PAGE: Omit<ListParameters, 'sortField'> = { sortDirection: 'asc', page: 0, perPage: 1000 };
const FLOW = new RowShape(Flow, FLOW_COMPUTED);
const FLOW_VERSION = new RowShape(FlowVersion, FLOW_VERSION_COMPUTED);
const VIEW = new RowShape(ExperienceView, VIEW_COMPUTED);
const FROZEN_VIEW = new RowShape(ExperienceView, FROZEN_VIEW_COMPUTED);
const ENDPOINT = new RowShape(ExperienceEndpoint, ENDPOINT_COMPUTED);
const FROZEN_ENDPOINT = new RowShape(ExperienceEndpoint, FROZEN_ENDPOINT_COMPUTED);
/** Matches the ID of a view anywhere in the configuration of a node. */
const REFERENCES_VIEW = `jsonb_path_exists(t.nodes, '$[*].config.** ? (@ == $id)', jsonb_build_object('id', $2::text))`;
const REPLIES_WITH = (reply: string) => `(t.${reply}->>'type' = 'page' AND lower(t.${reply}->>'value') = $2)`;
const REPLIES = `(${['static_reply', 'unauthorized_reply'].map(REPLIES_WITH).join(' OR ')})`;
/** The layout of a view, the pages that use it as layout, its components, and the views that use it as a component. */
const RELATED_VIEWS = `t.id <> $2 AND (t.id = $3 OR t.layout_id = $2
  OR (t.view_type = 'component' AND t.name = ANY ($4::text[])) OR coalesce(t.body ~ $5, false))`;

/** A view with the properties that link it to others. */
export interface LinkedView {
  id: string;
  layoutId: string | null;
  /** Names of the components in its template. */
  components: readonly string[];
  /** Pattern that finds the view in other templates; `null` unless it is a component. */
  pattern: string | null;
}

/** Source and condition of a list of links. */
interface LinkList extends Pick<RunListOptions, 'table' | 'values' | 'where'> {
  sortField: string;
}

/** Repository of the resources linked to views, in `develop` or in a version. */
@Injectable()
export class ExperienceLinksRepository {
  constructor(private readonly database: Database) {}

  views(
    application: OwnedApplication,
    { id, layoutId, components, pattern }: LinkedView,
    version?: KnownVersion,
  ): Promise<StoredPage<ExperienceView>> {
    const values = [application.id, id, layoutId, components, pattern];
    const links = { where: [RELATED_VIEWS], sortField: 'name' };
    // Restricted to one version, so that an ID identifies a single row.
    const rows = '(SELECT k.* FROM experience_view_versions k WHERE k.version_id = $6)';
    return version
      ? this.page(FROZEN_VIEW, application, { ...links, table: rows, values: [...values, version.id] })
      : this.page(VIEW, application, { ...links, table: 'experience_views', values });
  }

  endpoints(
    application: OwnedApplication,
    { id }: LinkedView,
    version?: KnownVersion,
  ): Promise<StoredPage<ExperienceEndpoint>> {
    const values = [application.id, id];
    const links = { where: [REPLIES], sortField: 'route' };
    const rows = '(SELECT k.* FROM experience_endpoint_versions k WHERE k.version_id = $3)';
    return version
      ? this.page(FROZEN_ENDPOINT, application, { ...links, table: rows, values: [...values, version.id] })
      : this.page(ENDPOINT, application, { ...links, table: 'experience_endpoints', values });
  }

  flows(application: OwnedApplication, { id }: LinkedView): Promise<StoredPage<Flow>> {
    const links = { where: [REFERENCES_VIEW], sortField: 'name', values: [application.id, id] };
    return this.page(FLOW, application, { ...links, table: 'flows' });
  }

  /** Returns the workflows in a version. */
  flowVersions(
    application: OwnedApplication,
    { id }: LinkedView,
    { name }: KnownVersion,
  ): Promise<StoredPage<FlowVersion>> {
    const where = ['t.version = $3', `t.flow_class = 'experience'`, REFERENCES_VIEW];
    const links = { where, sortField: 'version', values: [application.id, id, name] };
    return this.page(FLOW_VERSION, application, { ...links, table: 'flow_versions' });
  }

  private async page<T>(
    shape: RowShape<T>,
    { id, ownerId: owner }: OwnedApplication,
    { where, sortField, ...rows }: LinkList,
  ): Promise<StoredPage<T>> {
    const { items, envelope } = await runList(this.database, shape, {
      ...rows,
      owner,
      where: ['t.application_id = $1', ...where],
      searchedBy: 'experienceViewId',
      sizedBy: 'experienceViewId',
      list: { ...FIRST_PAGE, sortField },
    });
    return new StoredPage(items, { ...envelope, applicationId: id });
  }
}
