import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Certificates } from '../../../platform/certificates/certificates.js';
import type { Changes } from '../../../platform/database/changes.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { CertificateAuthoritiesService } from '../certificate-authorities/certificate-authorities.service.js';
import type {
  ApplicationCertificate,
  ApplicationCertificatePatch,
  ApplicationCertificatePost,
} from './certificate.resource.js';
import { FIELD, deviceCertificate } from './certificate.rules.js';
import { CertificatesRepository } from './certificates.repository.js';

/** Properties derived from a certificate and stored with it. */
type CertificateData = Pick<
  ApplicationCertificate,
  'certificateInfo' | 'certificateInfoCommonName' | 'digest'
>;

/**
 * Device certificates. They do not reference the authority that signed them: it is looked up among the registered
 * authorities on registration and on each sign-in. Changes take effect on the tokens of devices immediately, including
 * tokens issued before the certificate was registered.
 */
@Injectable()
export class CertificatesService {
  constructor(
    private readonly certificates: CertificatesRepository,
    private readonly authorities: CertificateAuthoritiesService,
    private readonly reader: Certificates,
    private readonly cache: AccessCache,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<ApplicationCertificate>> {
    return this.certificates.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: ApplicationCertificatePost,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificate>> {
    const facts = await this.factsOf(application, post.certificate);
    const row: Changes<ApplicationCertificate> = {
      status: 'active',
      deviceTags: [],
      filterType: 'none',
      pubTopics: [],
      subTopics: [],
      ...post,
      deviceIds: (post.deviceIds ?? []).map((id) => id.toLowerCase()),
      ...facts,
    };
    const stored = await this.certificates.addToApplication(application, row, by);
    await this.cache.evict(facts.digest);
    return stored;
  }

  get(applicationId: string, id: string): Promise<StoredResource<ApplicationCertificate>> {
    return this.certificates.findOneOrFail(applicationId, id);
  }

  async patch(
    application: ApplicationAccess,
    id: string,
    patch: ApplicationCertificatePatch,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificate>> {
    const { certificate } = patch;
    if (certificate === undefined) {
      const changed = await this.certificates.update(application.id, id, patch, by);
      await this.cache.evict(id);
      return changed;
    }
    const facts = await this.factsOf(application, certificate);
    const replaced = await this.certificates.replace(application.id, id, { ...patch, ...facts }, by);
    await this.cache.evict([id, facts.digest]);
    return replaced;
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.certificates.deleteAndRevoke(applicationId, id, by);
    await this.cache.evict(id);
    return new Success();
  }

  /**
   * Parses a certificate. Throws 400 if it is not a device certificate or no authority of the application signed it.
   */
  private async factsOf(application: ApplicationAccess, pem: string): Promise<CertificateData> {
    const certificate = deviceCertificate(await this.reader.readPem({ pem, at: FIELD }, application.ownerId));
    if (!(await this.authorities.signed(application, certificate)))
      throw new ValidationError(`${FIELD} must be signed by a certificate authority of the application`);
    const { info, digest } = certificate;
    return { certificateInfo: info, certificateInfoCommonName: info.commonName ?? null, digest };
  }
}
