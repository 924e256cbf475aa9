import { Injectable } from '@nestjs/common';
import { withEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { isoDate } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import type { ApplicationReadme, ApplicationReadmePatch } from './application.resource.js';
import { AUDITED } from './applications.repository.js';

const COLUMNS = 'id, readme, readme_updated, readme_updated_by_id, readme_updated_by_type';
const GET = `SELECT ${COLUMNS} FROM applications WHERE id = $1 AND deleted_at IS NULL`;
const PATCH = `UPDATE applications t
  SET readme = coalesce($2, readme), readme_updated = $3, readme_updated_by_id = $4, readme_updated_by_type = $5
  WHERE id = $1 AND deleted_at IS NULL`;

/** The readme of an application: a text of its own, not part of the application as it is listed. */
@Injectable()
export class ApplicationReadmeService {
  constructor(private readonly database: Database) {}

  get(applicationId: string): Promise<ApplicationReadme> {
    return this.one(prepared(GET, [applicationId]));
  }

  patch(applicationId: string, { content }: ApplicationReadmePatch, by: Author): Promise<ApplicationReadme> {
    const values = [applicationId, content ?? null, new Date(), by.id, by.type];
    return this.one(withEntry({ text: PATCH, values }, COLUMNS, AUDITED, by));
  }

  private async one(statement: Statement): Promise<ApplicationReadme> {
    const [row] = await this.database.run(statement);
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
