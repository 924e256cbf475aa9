import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Author } from '../../platform/audit/author.js';
import type { Changes } from '../../platform/database/changes.js';
import { ValidationError } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { CertificateAuthoritiesService } from '../certificate-authorities/certificate-authorities.service.js';
import type {
  ApplicationCertificate,
  ApplicationCertificatePatch,
  ApplicationCertificatePost,
} from './certificate.resource.js';
import { AT, deviceCertificate } from './certificate.rules.js';
import { CertificatesRepository } from './certificates.repository.js';

/** What is kept of a certificate beside it. */
type Facts = Pick<ApplicationCertificate, 'certificateInfo' | 'certificateInfoCommonName' | 'digest'>;

/**
 * The certificates of devices. None points at the authority that signed it: that is looked for among those which are
 * registered when the certificate is registered, and has to be again by whoever signs a device in.
 */
@Injectable()
export class CertificatesService {
  constructor(
    private readonly certificates: CertificatesRepository,
    private readonly authorities: CertificateAuthoritiesService,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<ApplicationCertificate>> {
    return this.certificates.pageOf(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: ApplicationCertificatePost,
    by: Author,
  ): Promise<Stored<ApplicationCertificate>> {
    const row: Changes<ApplicationCertificate> = {
      status: 'active',
      deviceTags: [],
      filterType: 'none',
      pubTopics: [],
      subTopics: [],
      ...post,
      deviceIds: (post.deviceIds ?? []).map((id) => id.toLowerCase()),
      ...(await this.factsOf(application.id, post.certificate)),
    };
    return this.certificates.addTo(application, row, by);
  }

  get(applicationId: string, id: string): Promise<Stored<ApplicationCertificate>> {
    return this.certificates.obtain(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ApplicationCertificatePatch,
    by: Author,
  ): Promise<Stored<ApplicationCertificate>> {
    const { certificate } = patch;
    const facts = certificate === undefined ? {} : await this.factsOf(applicationId, certificate);
    return this.certificates.change(applicationId, id, { ...patch, ...facts }, by);
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.certificates.drop(applicationId, id, by);
    return new Success();
  }

  /** Reads a certificate, or throws 400 where it is not of a device or no authority of the application signed it. */
  private async factsOf(applicationId: string, pem: string): Promise<Facts> {
    const certificate = deviceCertificate(pem);
    if (!(await this.authorities.signed(applicationId, certificate)))
      throw new ValidationError(`${AT} must be signed by a certificate authority of the application`);
    const { info, digest } = certificate;
    return { certificateInfo: info, certificateInfoCommonName: info.commonName ?? null, digest };
  }
}
