import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { EXPERIENCE_DOMAINS, ExperienceDomain } from './experience-domain.resource.js';

const ALL = `FROM ${EXPERIENCE_DOMAINS.table} t WHERE t.application_id = $1 ORDER BY t.domain_name, t.id`;
const IS_VERIFIED = `SELECT t.verified_at IS NOT NULL AS is_verified FROM ${EXPERIENCE_DOMAINS.table} t
  WHERE t.application_id = $1 AND t.id = $2`;

/** Repository of domains of experiences. */
export class ExperienceDomainsRepository extends repositoryOf(EXPERIENCE_DOMAINS) {
  /** Returns all domains of an application, sorted by name. Their number is bounded by the owner's limit. */
  async all(applicationId: string): Promise<StoredPage<ExperienceDomain>> {
    const rows = await this.database.run(prepared(this.shape.select(ALL), [applicationId]));
    const items = rows.map((row) => new StoredResource(this.shape, row));
    return new StoredPage(items, { applicationId, totalCount: items.length });
  }

  /** Returns whether the TXT record of the domain was seen. */
  async isVerified(applicationId: string, id: string): Promise<boolean> {
    const [row] = await this.database.rows<{ isVerified: boolean }>(
      prepared(IS_VERIFIED, [applicationId, id]),
    );
    return row?.isVerified ?? false;
  }
}
