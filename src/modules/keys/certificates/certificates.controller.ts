import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { DEVICE_PEM } from '../../../lib/crypto/certificate-examples.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import {
  ApplicationCertificate,
  ApplicationCertificatePost,
  ApplicationCertificates,
} from './certificate.resource.js';
import { CertificatesQuery } from './certificates.query.js';
import { CertificatesService } from './certificates.service.js';

@Controller('applications/:applicationId/certificates')
export class CertificatesController {
  constructor(private readonly certificates: CertificatesService) {}

  @Get()
  @Operation('applicationCertificates.get', {
    summary: 'Returns the certificates of devices of an application',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApplicationCertificates },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: CertificatesQuery,
  ): Promise<StoredPage<ApplicationCertificate>> {
    return this.certificates.list(application, list);
  }

  @Post()
  @Operation('applicationCertificates.post', {
    summary: 'Registers a certificate of devices of an application',
    description:
      '`certificate` is exactly one in PEM and nothing else, no private key least of all. It must have `extendedKeyUsage` with `clientAuth`, be of no authority, have an RSA key of at least 2,048 bits where it is RSA, and be signed by a certificate of an authority of the application, active or not; it can be registered once in an application. Whether it and its authority are valid now is looked at when a device signs in. `deviceIds` and `deviceTags` say which devices may use it, and are fixed from then on; where neither is given, no device may. Unless it is said otherwise, they use their own topics only. The limit `applicationcertificate` of the owner counts the certificates of each application. Devices sign in with `POST /auth/device`. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { applicationCertificate: ApplicationCertificatePost },
    example: { certificate: DEVICE_PEM, deviceTags: [{ key: 'site', value: 'north' }] },
    returns: { 201: ApplicationCertificate },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationCertificatePost,
    @By() by: Author,
  ): Promise<Stored<ApplicationCertificate>> {
    return this.certificates.create(application, body, by);
  }
}
