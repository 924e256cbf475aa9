import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal.js';
import { Database } from '../../platform/database/database.js';
import { isoDate } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import type { ApplicationReadme, ApplicationReadmePatch } from './application.resource.js';

const COLUMNS = 'id, readme, readme_updated, readme_updated_by_id, readme_updated_by_type';
const GET = `SELECT ${COLUMNS} FROM applications WHERE id = $1 AND deleted_at IS NULL`;
const PATCH = `UPDATE applications
  SET readme = coalesce($2, readme), readme_updated = $3, readme_updated_by_id = $4, readme_updated_by_type = $5
  WHERE id = $1 AND deleted_at IS NULL RETURNING ${COLUMNS}`;

/** The readme of an application: a text of its own, not part of the application as it is listed. */
@Injectable()
export class ApplicationReadmeService {
  constructor(private readonly database: Database) {}

  get(applicationId: string): Promise<ApplicationReadme> {
    return this.one(GET, [applicationId]);
  }

  patch(
    caller: Principal,
    applicationId: string,
    { content }: ApplicationReadmePatch,
  ): Promise<ApplicationReadme> {
    const { id, type } = caller.actor;
    return this.one(PATCH, [applicationId, content ?? null, new Date(), id, type]);
  }

  private async one(text: string, values: unknown[]): Promise<ApplicationReadme> {
    const [row] = await this.database.run(prepared(text, values));
    if (!row) throw new NotFound('Application');
    const [applicationId, content, updated, byId, byType] = row;
    return {
      applicationId: applicationId!,
      content: content!,
      lastUpdated: updated ? new Date(isoDate(updated)) : undefined,
      lastUpdatedById: byId ?? undefined,
      lastUpdatedByType: byType ?? undefined,
    };
  }
}
