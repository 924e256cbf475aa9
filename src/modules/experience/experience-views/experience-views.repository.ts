import type { OwnedApplication } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { EXPERIENCE_VIEWS, ExperienceView } from './experience-view.resource.js';
import { FROZEN_VIEW_COMPUTED } from './view.columns.js';
import type { ViewType } from './view.schemas.js';

const { table, title } = EXPERIENCE_VIEWS;
const FROZEN = new RowShape(ExperienceView, FROZEN_VIEW_COMPUTED);
const FROZEN_ONE = FROZEN.select(
  'FROM experience_view_versions t WHERE t.application_id = $1 AND t.version_id = $2 AND t.id = $3',
);
const IS_LAYOUT = `SELECT 1 FROM ${table} t WHERE t.application_id = $1 AND t.id = $2 AND t.view_type = 'layout' FOR KEY SHARE`;

/** Filter of a list of views: of a version or `develop`, and of one type or all. */
export interface ViewList {
  list: ListParameters;
  viewType?: ViewType;
  versionId?: string;
}

/** Repository of views in `develop` and in versions of the experience. */
export class ExperienceViewsRepository extends repositoryOf(EXPERIENCE_VIEWS) {
  async listOf(
    { id, ownerId: owner }: OwnedApplication,
    { list, viewType, versionId }: ViewList,
  ): Promise<StoredPage<ExperienceView>> {
    const values = [id, ...[versionId, viewType].filter((value) => value !== undefined)];
    const where = ['t.application_id = $1'];
    if (viewType !== undefined) where.push(`t.view_type = $${values.length}`);
    // Restricted to one version, so that an ID identifies a single row.
    const rows = `(SELECT v.* FROM experience_view_versions v WHERE v.version_id = $2)`;
    const from =
      versionId === undefined
        ? { table, shape: this.shape, total: totalOf(viewType) }
        : { table: rows, shape: FROZEN };
    const { shape, ...options } = { ...from, owner, where, values, list };
    const { items, envelope } = await runList(this.database, shape, options);
    return new StoredPage(items, { ...envelope, applicationId: id, viewType });
  }

  /** Returns the view in a version of the experience. Throws 404 if it does not exist. */
  async obtainFrozen(
    applicationId: string,
    versionId: string,
    id: string,
  ): Promise<StoredResource<ExperienceView>> {
    const [row] = await this.database.read(prepared(FROZEN_ONE, [applicationId, versionId, id]));
    if (!row) throw new NotFound(title);
    return new StoredResource(FROZEN, row);
  }

  /** Whether a view is a layout of the application. Locks it against deletion until the transaction ends. */
  async isLayout(applicationId: string, id: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(IS_LAYOUT, [applicationId, id]))).length > 0;
  }
}

/** SQL of the number of views of an application, of the type in the second parameter if given. */
const totalOf = (viewType: ViewType | undefined): string =>
  viewType === undefined
    ? countSql('$1', `'experienceViewCount'`, { parted: true })
    : countSql('$1', `('experienceViewCount:' || $2::text)`);
