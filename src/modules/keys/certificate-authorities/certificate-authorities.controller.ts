import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { AUTHORITY_PEM } from '../../../lib/crypto/certificate-examples.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { CertificateAuthoritiesQuery } from './certificate-authorities.query.js';
import { CertificateAuthoritiesService } from './certificate-authorities.service.js';
import {
  ApplicationCertificateAuthorities,
  ApplicationCertificateAuthority,
  ApplicationCertificateAuthorityPost,
} from './certificate-authority.resource.js';

@Controller('applications/:applicationId/certificate-authorities')
export class CertificateAuthoritiesController {
  constructor(private readonly authorities: CertificateAuthoritiesService) {}

  @Get()
  @Operation('applicationCertificateAuthorities.get', {
    summary: 'Lists the certificate authorities of an application',
    description:
      'Returns certificate authorities with the details of their certificates. Device certificates signed by them are accepted.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApplicationCertificateAuthorities },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: CertificateAuthoritiesQuery,
  ): Promise<StoredPage<ApplicationCertificateAuthority>> {
    return this.authorities.list(application, list);
  }

  @Post()
  @Operation('applicationCertificateAuthorities.post', {
    summary: 'Registers a certificate authority in an application',
    description:
      "Device certificates signed by the authority are accepted. `caBundle` contains up to 32 certificates in PEM and no other data; private keys are rejected. Each certificate must have critical `basicConstraints` with `CA:TRUE` and critical `keyUsage` with `keyCertSign` and `cRLSign`. RSA keys must have at least 2,048 bits. No critical extensions other than `subjectAltName` and `extKeyUsage` are accepted. If a certificate does not conform, returns `400` with its number. The validity period is checked when a device signs in. The owner's limit `applicationcertificateauthority` applies to each application.",
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { applicationCertificateAuthority: ApplicationCertificateAuthorityPost },
    example: { name: 'Makers of pumps', caBundle: AUTHORITY_PEM },
    returns: { 201: ApplicationCertificateAuthority },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationCertificateAuthorityPost,
    @By() by: Author,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    return this.authorities.create(application, body, by);
  }
}
