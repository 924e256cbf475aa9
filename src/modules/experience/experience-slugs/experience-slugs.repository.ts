import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { EXPERIENCE_SLUGS, ExperienceSlug } from './experience-slug.resource.js';

const LOCK_APPLICATION = 'SELECT 1 FROM applications t WHERE t.id = $1 FOR NO KEY UPDATE';
const ALL = `FROM ${EXPERIENCE_SLUGS.table} t WHERE t.application_id = $1 ORDER BY t.slug, t.id`;

/** Repository of slugs. Database triggers create the default slug of an application and maintain its `endpointSlug`. */
export class ExperienceSlugsRepository extends repositoryOf(EXPERIENCE_SLUGS) {
  /** Returns all slugs of an application, sorted by name. Their number is bounded by the owner's limit. */
  async all(applicationId: string): Promise<StoredPage<ExperienceSlug>> {
    const rows = await this.database.run(prepared(this.shape.select(ALL), [applicationId]));
    const items = rows.map((row) => new StoredResource(this.shape, row));
    return new StoredPage(items, { applicationId, totalCount: items.length });
  }

  /** Waits for concurrent changes of names. A change of `endpointSlug` locks the application before its slug. */
  async lockApplication(applicationId: string, transaction: Transaction): Promise<void> {
    await transaction.run(prepared(LOCK_APPLICATION, [applicationId]));
  }
}
