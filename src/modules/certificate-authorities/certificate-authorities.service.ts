import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Author } from '../../platform/audit/author.js';
import { Certificate } from '../../platform/certificates/certificate.js';
import { readPem } from '../../platform/certificates/pem.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { CertificateAuthoritiesRepository } from './certificate-authorities.repository.js';
import type {
  ApplicationCertificateAuthority,
  ApplicationCertificateAuthorityPatch,
  ApplicationCertificateAuthorityPost,
} from './certificate-authority.resource.js';
import { bundleFacts } from './certificate-authority.rules.js';

/** Of certificates with the name of an issuer, so many are read and tried: each takes a processor a millisecond or two. */
const MOST_TRIED = 32;

/** The certificate authorities of applications. */
@Injectable()
export class CertificateAuthoritiesService {
  constructor(private readonly authorities: CertificateAuthoritiesRepository) {}

  list(
    application: ApplicationAccess,
    list: ListParameters,
  ): Promise<StoredPage<ApplicationCertificateAuthority>> {
    return this.authorities.pageOf(application, list);
  }

  create(
    application: ApplicationAccess,
    post: ApplicationCertificateAuthorityPost,
    by: Author,
  ): Promise<Stored<ApplicationCertificateAuthority>> {
    const facts = bundleFacts(application.id, post.caBundle);
    return this.authorities.addTo(application, { status: 'active', ...post, ...facts }, by);
  }

  get(applicationId: string, id: string): Promise<Stored<ApplicationCertificateAuthority>> {
    return this.authorities.obtain(applicationId, id);
  }

  patch(
    applicationId: string,
    id: string,
    patch: ApplicationCertificateAuthorityPatch,
    by: Author,
  ): Promise<Stored<ApplicationCertificateAuthority>> {
    const facts = patch.caBundle === undefined ? {} : bundleFacts(applicationId, patch.caBundle);
    return this.authorities.change(applicationId, id, { ...patch, ...facts }, by);
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.authorities.drop(applicationId, id, by);
    return new Success();
  }

  /** Whether an authority that is registered in the application signed a certificate. */
  async signed(applicationId: string, certificate: Certificate): Promise<boolean> {
    const bundles = await this.authorities.bundlesOf(applicationId, certificate.issuer);
    return bundles
      .flatMap(({ bundle, numbers }) => {
        const certificates = readPem(bundle, 'caBundle');
        return numbers.map((number) => certificates[number - 1]!);
      })
      .slice(0, MOST_TRIED)
      .some((der) => certificate.isSignedBy(Certificate.read(der, 'caBundle')));
  }
}
