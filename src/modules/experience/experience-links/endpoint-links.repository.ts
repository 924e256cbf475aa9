import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { DEVELOP } from '../experience-versions/experience-version.columns.js';
import { ExperienceView } from '../experience-views/experience-view.resource.js';
import { FROZEN_VIEW_COMPUTED, VIEW_COMPUTED } from '../experience-views/view.columns.js';
import { FLOW_COMPUTED, FLOW_VERSION_COMPUTED } from '../../flows/flows/flow.columns.js';
import { FlowVersion } from '../../flows/flows/flow-version.resource.js';
import { Flow } from '../../flows/flows/flow.resource.js';

/** A version of an experience: name and ID. The ID is absent for `develop`, which has no version rows. */
export interface ExperienceVersionRef {
  application: ApplicationAccess;
  version: string;
  versionId?: string;
}

/** Maximum number of resources returned per kind. */
export const MAX_LINKED = 1000;
const FIRST_PAGE: Omit<ListParameters, 'sortField'> = { sortDirection: 'asc', page: 0, perPage: MAX_LINKED };
/** The only parameter of the links, named if the rows exceed a response. */
const SIZED_BY = 'experienceEndpointId';
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

/** SQL of a column of the triggers `g` for the endpoint `$2`, in workflows of one of the versions. */
const triggeredBy = (
  column: string,
  versions: string,
  more = '',
) => `ARRAY(SELECT g.${column} FROM flow_triggers g
  WHERE g.application_id = $1 AND g.version = ANY (${versions}) AND g.type = 'endpoint' AND md5(g.key) = md5($2)
    AND g.key = $2${more})`;
/**
 * Workflows of the experience are linked in their own version. Workflows of the application are linked with the version
 * that their trigger selects.
 */
const TRIGGERED_VERSION = ` AND CASE (SELECT f.flow_class FROM flows f WHERE f.id = g.flow_id)
    WHEN 'experience' THEN $3 = '${DEVELOP}' ELSE coalesce(g.config->>'experienceVersion', '${DEVELOP}') = $3 END`;
const FLOWS_TRIGGERED = `t.id = ANY (${triggeredBy('flow_id', `'{develop,default}'`, TRIGGERED_VERSION)})`;
const VERSIONS_TRIGGERED = `t.id = ANY (${triggeredBy('flow_version_id', 'ARRAY[$3::text]')})`;

/** Repository of the resources linked to endpoints of experiences. */
@Injectable()
export class EndpointLinksRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the views of a version that match a condition, sorted by name. `value` is the last parameter of the
   * condition.
   */
  async views(
    { application, versionId }: ExperienceVersionRef,
    condition: (parameter: string) => string,
    value: unknown,
  ): Promise<StoredResource<ExperienceView>[]> {
    const { shape, rows } = VIEWS[versionId === undefined ? 'developed' : 'frozen'];
    const values: unknown[] = [application.id, ...(versionId === undefined ? [] : [versionId])];
    const meant = condition(`$${values.push(value)}`);
    const text = shape.select(`FROM ${rows} AND ${meant} ORDER BY t.name, t.id LIMIT ${MAX_LINKED}`);
    return (await this.database.run({ text, values, sizedBy: SIZED_BY })).map(
      (row) => new StoredResource(shape, row),
    );
  }

  /**
   * Returns the workflows triggered by an endpoint, sorted by name: those of the application, and in `develop` those of
   * the experience.
   */
  flowsOf({ application, version }: ExperienceVersionRef, endpointId: string): Promise<StoredPage<Flow>> {
    return runList(this.database, FLOW, {
      table: 'flows',
      owner: application.ownerId,
      where: ['t.application_id = $1', FLOWS_TRIGGERED],
      values: [application.id, endpointId, version],
      sizedBy: SIZED_BY,
      list: { ...FIRST_PAGE, sortField: 'name' },
    });
  }

  /** Returns the workflows of the experience in a version that are triggered by an endpoint. */
  flowVersionsOf(
    { application, version }: ExperienceVersionRef,
    endpointId: string,
  ): Promise<StoredPage<FlowVersion>> {
    return runList(this.database, FLOW_VERSION, {
      table: 'flow_versions',
      owner: application.ownerId,
      where: ['t.application_id = $1', `t.flow_class = 'experience'`, VERSIONS_TRIGGERED],
      values: [application.id, endpointId, version],
      sizedBy: SIZED_BY,
      list: { ...FIRST_PAGE, sortField: 'flowId' },
    });
  }
}
