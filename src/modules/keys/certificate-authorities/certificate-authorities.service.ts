import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Certificate } from '../../../platform/certificates/certificate.js';
import { readPem } from '../../../lib/crypto/pem.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { CertificateAuthoritiesRepository } from './certificate-authorities.repository.js';
import {
  STATUSES,
  type ApplicationCertificateAuthority,
  type ApplicationCertificateAuthorityPatch,
  type ApplicationCertificateAuthorityPost,
} from './certificate-authority.resource.js';
import { bundleInfo, newAuthority } from './certificate-authority.rules.js';

/**
 * Maximum number of certificates with the name of an issuer that are parsed and tried. Each takes one or two
 * milliseconds of CPU time.
 */
const MAX_CANDIDATES = 32;

/** Certificate of an authority that signed another certificate. */
export interface Issuer {
  authorityId: string;
  certificate: Certificate;
}

/** Certificate authorities of applications. Changes take effect on the tokens of devices immediately. */
@Injectable()
export class CertificateAuthoritiesService {
  constructor(
    private readonly authorities: CertificateAuthoritiesRepository,
    private readonly cache: AccessCache,
  ) {}

  list(
    application: ApplicationAccess,
    list: ListParameters,
  ): Promise<StoredPage<ApplicationCertificateAuthority>> {
    return this.authorities.findApplicationPage(application, list);
  }

  create(
    application: ApplicationAccess,
    post: ApplicationCertificateAuthorityPost,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    return this.authorities.addToApplication(application, newAuthority(application.id, post), by);
  }

  get(applicationId: string, id: string): Promise<StoredResource<ApplicationCertificateAuthority>> {
    return this.authorities.findOneOrFail(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ApplicationCertificateAuthorityPatch,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    const facts = patch.caBundle === undefined ? {} : bundleInfo(applicationId, patch.caBundle);
    const changed = await this.authorities.update(applicationId, id, { ...patch, ...facts }, by);
    await this.cache.evict(id);
    return changed;
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.authorities.delete(applicationId, id, by);
    await this.cache.evict(id);
    return new Success();
  }

  /** Whether a registered authority of the application, active or not, signed the certificate. */
  async signed(applicationId: string, certificate: Certificate): Promise<boolean> {
    return (await this.find(applicationId, certificate, STATUSES, () => true)) !== undefined;
  }

  /**
   * Returns the active authority of the application that signed the certificate, with its certificate that is valid at
   * that time.
   */
  issuerOf(applicationId: string, certificate: Certificate, time: Date): Promise<Issuer | undefined> {
    return this.find(applicationId, certificate, ['active'], (issuer) => issuer.isValidAt(time));
  }

  private async find(
    applicationId: string,
    certificate: Certificate,
    statuses: readonly ApplicationCertificateAuthority['status'][],
    mayBe: (issuer: Certificate) => boolean,
  ): Promise<Issuer | undefined> {
    const bundles = await this.authorities.bundlesOf(applicationId, certificate.issuer, statuses);
    const named = bundles.flatMap(({ authorityId, bundle, numbers }) => {
      const certificates = readPem(bundle, 'caBundle');
      return numbers.map((number) => ({ authorityId, der: certificates[number - 1]! }));
    });
    for (const { authorityId, der } of named.slice(0, MAX_CANDIDATES)) {
      const issuer = Certificate.read(der, 'caBundle');
      if (mayBe(issuer) && certificate.isSignedBy(issuer)) return { authorityId, certificate: issuer };
    }
    return undefined;
  }
}
