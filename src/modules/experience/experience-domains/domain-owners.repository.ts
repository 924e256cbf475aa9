import { Injectable } from '@nestjs/common';
import type { Transaction, QueuedTransaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { prepared } from '../../../platform/database/statements.js';
import { parentOf } from './experience-domain.rules.js';

// Changes of names lock their parent domain. Transfers exclude all changes of names.

/** First keys of the advisory locks on all names, and on the names one label below a domain. Not used by other locks. */
const ALL_NAMES = [0x646f6d61, ''] as const;
const NAMES = 0x646f6d73;

/** Keeps the owner of an application until the transaction ends. */
const KEEP_OWNER = 'SELECT 1 FROM applications WHERE id = $1 FOR KEY SHARE';
const OF_OTHERS = `SELECT 1 FROM experience_domains t JOIN applications a ON a.id = t.application_id
  WHERE a.owner_id <> (SELECT owner_id FROM applications WHERE id = $1) AND`;
/** Must equal the expression of the index `experience_domains_by_parent`. */
const parentSql = (row: string): string => `substr(${row}.domain_name, strpos(${row}.domain_name, '.') + 1)`;
export const COVERING = `${OF_OTHERS} t.domain_name = '*.' || $2::text LIMIT 1`;
export const COVERED = `${OF_OTHERS} ${parentSql('t')} = $2 LIMIT 1`;

const NAMED = `SELECT d.application_id, d.domain_name FROM experience_domains d
  WHERE d.application_id = ANY ($1::text[])`;
const ONE = 'ORDER BY application_id, domain_name LIMIT 1';
const ANY = `${NAMED} ${ONE}`;
const keptBy = (condition: string): string => `EXISTS (
    SELECT FROM experience_domains t JOIN applications a ON a.id = t.application_id
    WHERE ${condition} AND t.application_id <> ALL ($1::text[]) AND a.owner_id <> $2)`;
export const PARTED = `${NAMED} AND (${keptBy(`t.domain_name = '*.' || ${parentSql('d')}`)}
  OR d.domain_name LIKE '*.%' AND ${keptBy(`${parentSql('t')} = ${parentSql('d')}`)}) ${ONE}`;

/** A domain and its application. */
export interface OwnedDomain {
  applicationId: string;
  domainName: string;
}

/** Keeps a wildcard and the names that it covers with one owner. */
@Injectable()
export class DomainOwnersRepository {
  /**
   * Throws `400` if a wildcard of another owner covers the name, or if the name is a wildcard that covers a name of another
   * owner. Other changes of names below the same domain, and transfers, wait until the transaction ends.
   */
  async claim({ applicationId, domainName }: OwnedDomain, transaction: QueuedTransaction): Promise<void> {
    const parent = parentOf(domainName);
    await transaction.run(prepared(KEEP_OWNER, [applicationId]));
    await transaction.lock(ALL_NAMES, 'shared');
    await transaction.lock([NAMES, parent]);
    const others = domainName === `*.${parent}` ? COVERED : COVERING;
    const { length } = await transaction.run(prepared(others, [applicationId, parent]));
    if (length > 0) throw new ValidationError('experienceDomain.domainName is not available');
  }

  /** Returns one of the domains of locked applications, if they have any. */
  async find(applicationIds: readonly string[], transaction: Transaction): Promise<OwnedDomain | undefined> {
    const [found] = await transaction.rows<OwnedDomain>(prepared(ANY, [applicationIds]));
    return found;
  }

  /**
   * Returns a domain of locked applications that would have another owner than its wildcard, or than a name that it
   * covers, if the applications belonged to `ownerId`. Changes of names wait until the transaction ends.
   */
  async findParted(
    applicationIds: readonly string[],
    ownerId: string,
    transaction: QueuedTransaction,
  ): Promise<OwnedDomain | undefined> {
    await transaction.lock(ALL_NAMES);
    const [parted] = await transaction.rows<OwnedDomain>(prepared(PARTED, [applicationIds, ownerId]));
    return parted;
  }
}
