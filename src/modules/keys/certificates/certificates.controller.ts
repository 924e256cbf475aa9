import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { DEVICE_PEM } from '../../../lib/crypto/certificate-examples.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
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
    summary: 'Lists the device certificates of an application',
    description: 'Returns the certificates with their details and the devices and topics that they allow.',
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
    summary: 'Registers a device certificate',
    description:
      "`certificate` contains exactly one PEM certificate and no other data; private keys are rejected. The certificate must have `extendedKeyUsage` with `clientAuth`. A certificate authority is accepted only if it is self-signed, as `openssl req -x509` makes it. RSA keys must have at least 2,048 bits. The certificate must be signed by a certificate authority of the application, active or not, or be one itself. It can be registered once per application. The validity periods of the certificate and its authority are checked when a device signs in. `deviceIds` and `deviceTags` select the devices that can use the certificate and cannot be changed later. If both are absent, no device can use it. By default, devices can only use their own topics. The owner's limit `applicationcertificate` applies to each application. Devices sign in with `POST /auth/device`.",
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
  ): Promise<StoredResource<ApplicationCertificate>> {
    return this.certificates.create(application, body, by);
  }
}
