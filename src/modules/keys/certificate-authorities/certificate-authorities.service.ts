import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Certificate } from '../../../platform/certificates/certificate.js';
import { Certificates } from '../../../platform/certificates/certificates.js';
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

/** Maximum number of certificates with the name of an issuer whose signature is tried. */
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
    private readonly certificates: Certificates,
    private readonly cache: AccessCache,
  ) {}

  list(
    application: ApplicationAccess,
    list: ListParameters,
  ): Promise<StoredPage<ApplicationCertificateAuthority>> {
    return this.authorities.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: ApplicationCertificateAuthorityPost,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    const row = await newAuthority(this.placeOf(application), post);
    return this.authorities.addToApplication(application, row, by);
  }

  get(applicationId: string, id: string): Promise<StoredResource<ApplicationCertificateAuthority>> {
    return this.authorities.findOneOrFail(applicationId, id);
  }

  async patch(
    application: ApplicationAccess,
    id: string,
    patch: ApplicationCertificateAuthorityPatch,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    const { caBundle } = patch;
    const facts = caBundle === undefined ? {} : await bundleInfo(this.placeOf(application), caBundle);
    const changed = await this.authorities.update(application.id, id, { ...patch, ...facts }, by);
    await this.cache.evict(id);
    return changed;
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.authorities.delete(applicationId, id, by);
    await this.cache.evict(id);
    return new Success();
  }

  /** Whether a registered authority of the application, active or not, signed the certificate. */
  async signed({ id, ownerId }: ApplicationAccess, certificate: Certificate): Promise<boolean> {
    return (await this.find(id, certificate, STATUSES, ownerId)) !== undefined;
  }

  /**
   * Returns the active authority of the application that signed the certificate, with its certificate that is valid at
   * that time. `network` is the network of the client, whose turn the search takes.
   */
  issuerOf(
    applicationId: string,
    certificate: Certificate,
    time: Date,
    network: string,
  ): Promise<Issuer | undefined> {
    return this.find(applicationId, certificate, ['active'], network, time);
  }

  private async find(
    applicationId: string,
    certificate: Certificate,
    statuses: readonly ApplicationCertificateAuthority['status'][],
    owner: string,
    time?: Date,
  ): Promise<Issuer | undefined> {
    const bundles = await this.authorities.bundlesOf(applicationId, certificate.issuer, statuses);
    const named = bundles.flatMap(({ authorityId, bundle, numbers }) => {
      const certificates = readPem(bundle, 'caBundle');
      return numbers.map((number) => ({ authorityId, der: certificates[number - 1]! }));
    });
    if (named.length === 0) return undefined;
    const candidates = named.slice(0, MAX_CANDIDATES).map(({ der }) => der);
    const found = await this.certificates.findIssuer({ der: certificate.der, candidates, time }, owner);
    return found && { authorityId: named[found.index]!.authorityId, certificate: found.issuer };
  }

  private placeOf({ id, ownerId }: ApplicationAccess) {
    return { applicationId: id, ownerId, certificates: this.certificates };
  }
}
