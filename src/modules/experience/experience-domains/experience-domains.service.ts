import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Certificates } from '../../../platform/certificates/certificates.js';
import type { Author } from '../../../platform/audit/author.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Unavailable, ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceVersionsRepository } from '../experience-versions/experience-versions.repository.js';
import type {
  ExperienceDomain,
  ExperienceDomainPatch,
  ExperienceDomainPost,
} from './experience-domain.resource.js';
import { DomainVerification } from './domain-verification.js';
import { DomainOwnersRepository } from './domain-owners.repository.js';
import {
  assertServes,
  DOMAIN_KEY,
  domainNameOf,
  parentOf,
  pemChainOf,
  type DomainCertificate,
} from './experience-domain.rules.js';
import { ExperienceDomainsRepository } from './experience-domains.repository.js';

const VERSION = 'experienceDomain.version';

/** Maximum number of attempts to change a domain that others change at the same time. */
const MAX_ATTEMPTS = 10;

/** Columns that are validated together. */
const VALIDATED = ['domainName', 'sslCert', 'sslBundle', 'sslKeySealed'] as const;

/**
 * Manages the domains of experiences. A stored certificate, key and bundle have been verified to match each other and
 * the domain.
 */
@Injectable()
export class ExperienceDomainsService {
  constructor(
    private readonly domains: ExperienceDomainsRepository,
    private readonly owners: DomainOwnersRepository,
    private readonly versions: ExperienceVersionsRepository,
    private readonly verification: DomainVerification,
    private readonly certificates: Certificates,
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  list(applicationId: string): Promise<StoredPage<ExperienceDomain>> {
    return this.domains.all(applicationId);
  }

  async create(
    application: ApplicationAccess,
    { sslKey, version = null, ...given }: ExperienceDomainPost,
    by: Author,
  ): Promise<StoredResource<ExperienceDomain>> {
    if (application.ownerType !== 'organization')
      throw new ValidationError('experienceDomain is supported only for applications of an organization');
    const domainName = domainNameOf(given.domainName);
    await this.assertValid(application.ownerId, domainName, { ...given, sslKey });
    const verifiedAt = await this.verification.verify(application.id, domainName);
    const id = newId();
    const sslKeySealed = sslKey === undefined ? null : DOMAIN_KEY.seal(id, sslKey, this.secrets);
    return this.database.queuedTransaction(parentOf(domainName), async (transaction) => {
      await this.owners.claim({ applicationId: application.id, domainName }, transaction);
      const versionId = await this.versions.setVersion(application.id, version, VERSION, transaction);
      const row = { ...given, id, domainName, versionId, sslKeySealed, verifiedAt };
      return this.domains.addToApplication(application, row, by, transaction);
    });
  }

  get(applicationId: string, id: string): Promise<StoredResource<ExperienceDomain>> {
    return this.domains.findOneOrFail(applicationId, id);
  }

  /**
   * New values are validated together with stored ones, before the transaction, because that may have to wait. It is
   * repeated if another request changed the domain in the meantime.
   */
  async patch(
    { id: applicationId, ownerId }: ApplicationAccess,
    id: string,
    { sslKey, version, domainName: name, ...certificate }: ExperienceDomainPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceDomain>> {
    const domainName = name === undefined ? undefined : domainNameOf(name);
    const changes: Partial<ExperienceDomain> = { ...certificate, ...(domainName && { domainName }) };
    const verifiedAt = await this.verifiedAt(applicationId, id, domainName);
    if (verifiedAt !== undefined) changes.verifiedAt = verifiedAt;
    if (sslKey !== undefined)
      changes.sslKeySealed = sslKey === null ? null : DOMAIN_KEY.seal(id, sslKey, this.secrets);
    const lock = (transaction: Transaction) => this.domains.lock(applicationId, id, transaction);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // A stored certificate may have expired, so it is not validated if only the version changes.
      const known = Object.keys(changes).length ? await this.database.transaction(lock) : undefined;
      if (known) await this.check(ownerId, { ...known, ...changes });
      const changed = await this.database.queuedTransaction(
        parentOf(domainName ?? id),
        async (transaction) => {
          if (domainName !== undefined) await this.owners.claim({ applicationId, domainName }, transaction);
          const locked = await lock(transaction);
          if (known && VALIDATED.some((property) => locked[property] !== known[property])) return undefined;
          if (version !== undefined)
            changes.versionId = await this.versions.setVersion(applicationId, version, VERSION, transaction);
          return this.domains.update(applicationId, id, changes, by, transaction);
        },
      );
      if (changed) return changed;
    }
    throw new Unavailable('The domain is being changed by other requests, try again', 1);
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.domains.delete(applicationId, id, by);
    return new Success();
  }

  /**
   * Verifies a new name, and a name that was added before records were required. Returns `undefined` if the name needs no
   * verification.
   */
  private async verifiedAt(
    applicationId: string,
    id: string,
    newName: string | undefined,
  ): Promise<Date | null | undefined> {
    if (newName === undefined && !this.verification.isRequired) return undefined;
    const known = (await this.domains.findOneOrFail(applicationId, id)).text('domainName')!;
    const domainName = newName ?? known;
    const isKnown = domainName === known;
    if (isKnown && (!this.verification.isRequired || (await this.domains.isVerified(applicationId, id))))
      return undefined;
    return this.verification.verify(applicationId, domainName);
  }

  /** Throws 400 unless the resulting certificate, key and bundle are valid for the domain. */
  private check(
    ownerId: string,
    { id, domainName, sslCert, sslBundle, sslKeySealed }: ExperienceDomain,
  ): Promise<void> {
    const sslKey = sslKeySealed && DOMAIN_KEY.open(id, sslKeySealed, this.secrets);
    return this.assertValid(ownerId, domainName, { sslCert, sslBundle, sslKey });
  }

  private async assertValid(
    ownerId: string,
    domainName: string,
    certificate: DomainCertificate,
  ): Promise<void> {
    const chain = pemChainOf(certificate);
    if (chain) assertServes(domainName, await this.certificates.readChain(chain, ownerId));
  }
}
