import type { QueuedTransaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { EXPERIENCE_DOMAINS, ExperienceDomain } from './experience-domain.resource.js';
import { parentOf } from './experience-domain.rules.js';

const ALL = `FROM ${EXPERIENCE_DOMAINS.table} t WHERE t.application_id = $1 ORDER BY t.domain_name, t.id`;
/** First key of the advisory locks on the names one label below a domain. Not used by other locks. */
const NAMES = 0x646f6d73;
const OF_OTHERS = `SELECT 1 FROM experience_domains t JOIN applications a ON a.id = t.application_id
  WHERE a.owner_id <> (SELECT owner_id FROM applications WHERE id = $1) AND`;
const COVERING = `${OF_OTHERS} t.domain_name = '*.' || $2::text LIMIT 1`;
const COVERED = `${OF_OTHERS} substr(t.domain_name, strpos(t.domain_name, '.') + 1) = $2 LIMIT 1`;

/** Repository of domains of experiences. */
export class ExperienceDomainsRepository extends repositoryOf(EXPERIENCE_DOMAINS) {
  /** Returns all domains of an application, sorted by name. Their number is bounded by the owner's limit. */
  async all(applicationId: string): Promise<StoredPage<ExperienceDomain>> {
    const rows = await this.database.run(prepared(this.shape.select(ALL), [applicationId]));
    const items = rows.map((row) => new StoredResource(this.shape, row));
    return new StoredPage(items, { applicationId, totalCount: items.length });
  }

  /**
   * Throws `400` if a wildcard of another owner covers the name, or if the name is a wildcard that covers a name of
   * another owner. Other changes of names below the same domain wait until the transaction ends.
   */
  async claimName(applicationId: string, domainName: string, transaction: QueuedTransaction): Promise<void> {
    const parent = parentOf(domainName);
    await transaction.lock([NAMES, parent]);
    const others = domainName === `*.${parent}` ? COVERED : COVERING;
    const { length } = await transaction.run(prepared(others, [applicationId, parent]));
    if (length > 0) throw new ValidationError('experienceDomain.domainName is not available');
  }
}
