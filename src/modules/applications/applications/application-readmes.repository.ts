import { Injectable } from '@nestjs/common';
import { withEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape, type Row } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { AUDITED } from './application.columns.js';
import { ApplicationReadme, type Application } from './application.resource.js';

const SHAPE = new RowShape<ApplicationReadme>(ApplicationReadme, [
  { property: 'applicationId', kind: 'plain', sql: 't.id' },
  { property: 'content', kind: 'text', sql: 't.readme' },
  { property: 'lastUpdated', kind: 'date', sql: 't.readme_updated' },
  { property: 'lastUpdatedById', kind: 'plain', sql: 't.readme_updated_by_id' },
  { property: 'lastUpdatedByType', kind: 'plain', sql: 't.readme_updated_by_type' },
]);
const OWNED_CONDITION = 't.id = $1 AND t.owner_id = $2 AND t.deleted_at IS NULL';
const GET = SHAPE.select(`FROM applications t WHERE ${OWNED_CONDITION}`);
const PATCH = `UPDATE applications t
  SET readme = coalesce($3, t.readme), readme_updated = $4, readme_updated_by_id = $5, readme_updated_by_type = $6
  WHERE ${OWNED_CONDITION}`;

/** Repository of the readme columns of applications. */
@Injectable()
export class ApplicationReadmesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the readme of an application. Throws 404 if the application does not exist. */
  obtain({ id, ownerId }: Pick<Application, 'id' | 'ownerId'>): Promise<StoredResource<ApplicationReadme>> {
    return this.one(this.database.read(prepared(GET, [id, ownerId])));
  }

  /**
   * Writes the readme of an application. Without `content`, updates only the author and time. Throws 404 if it does not
   * exist.
   */
  change(
    { id, ownerId }: Pick<Application, 'id' | 'ownerId'>,
    content: string | undefined,
    by: Author,
  ): Promise<StoredResource<ApplicationReadme>> {
    const values = [id, ownerId, content ?? null, new Date(), by.id, by.signer];
    return this.one(this.database.run(withEntry({ text: PATCH, values }, SHAPE.columns, AUDITED, by)));
  }

  private async one(rows: Promise<Row[]>): Promise<StoredResource<ApplicationReadme>> {
    const [row] = await rows;
    if (!row) throw new NotFound('Application');
    return new StoredResource(SHAPE, row);
  }
}
