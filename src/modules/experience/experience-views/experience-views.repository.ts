import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { OwnedApplication } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { EXPERIENCE_VIEWS, ExperienceView } from './experience-view.resource.js';
import { FROZEN_VIEW_COMPUTED } from './view.columns.js';
import type { ViewType } from './view.schemas.js';

const { table, title } = EXPERIENCE_VIEWS;
const FROZEN = new RowShape(ExperienceView, FROZEN_VIEW_COMPUTED);
const FROZEN_ONE = FROZEN.select(
  'FROM experience_view_versions t WHERE t.application_id = $1 AND t.version_id = $2 AND t.id = $3',
);
const IS_LAYOUT = `SELECT 1 FROM ${table} t WHERE t.application_id = $1 AND t.id = $2 AND t.view_type = 'layout' FOR KEY SHARE`;

/** Which views a list shows: those of a version, or without one those that are being developed; of one type, or of all. */
export interface ViewList {
  list: ListParameters;
  viewType?: ViewType;
  versionId?: string;
}

/** The rows of views, as they are being developed and as versions of the experience keep them. */
@Injectable()
export class ExperienceViewsRepository extends ApplicationRepository<ExperienceView> {
  constructor(@InjectRepository(ExperienceView) rows: Repository<ExperienceView>, database: Database) {
    super(rows, database, EXPERIENCE_VIEWS);
  }

  async listOf(
    { id, ownerId: owner }: OwnedApplication,
    { list, viewType, versionId }: ViewList,
  ): Promise<StoredPage<ExperienceView>> {
    const values = [id, ...[versionId, viewType].filter((value) => value !== undefined)];
    const where = ['t.application_id = $1'];
    if (viewType !== undefined) where.push(`t.view_type = $${values.length}`);
    // An id is that of one row alone where the rows are those of one version.
    const rows = `(SELECT v.* FROM experience_view_versions v WHERE v.version_id = $2)`;
    const from =
      versionId === undefined
        ? { table, shape: this.shape, total: totalOf(viewType) }
        : { table: rows, shape: FROZEN };
    const { shape, ...options } = { ...from, owner, where, values, list };
    const { items, envelope } = await runList(this.database, shape, options);
    return new StoredPage(items, { ...envelope, applicationId: id, viewType });
  }

  /** The view as a version of the experience keeps it, or 404. */
  async obtainFrozen(applicationId: string, versionId: string, id: string): Promise<Stored<ExperienceView>> {
    const [row] = await this.database.read(prepared(FROZEN_ONE, [applicationId, versionId, id]));
    if (!row) throw new NotFound(title);
    return new Stored(FROZEN, row);
  }

  /** Whether a view is a layout of the application, and is kept from being removed until the transaction ends. */
  async isLayout(applicationId: string, id: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(IS_LAYOUT, [applicationId, id]))).length > 0;
  }
}

/** SQL of how many views an application has, of the type that is the second parameter where one is asked for. */
const totalOf = (viewType: ViewType | undefined): string =>
  viewType === undefined
    ? countSql('$1', `'experienceViewCount'`, { parted: true })
    : countSql('$1', `('experienceViewCount:' || $2::text)`);
