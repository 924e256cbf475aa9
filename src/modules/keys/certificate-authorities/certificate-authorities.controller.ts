import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { AUTHORITY_PEM } from '../../../lib/crypto/certificate-examples.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
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
    summary: 'Returns the certificate authorities of an application',
    description: 'Needs the role `view` on the application.',
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
      'Certificates of devices are taken where it signed them. `caBundle` holds its certificates, 32 at most, in PEM and nothing else, no private key least of all. Each must have critical `basicConstraints` with `CA:TRUE` and critical `keyUsage` with `keyCertSign` and `cRLSign`, an RSA key of at least 2,048 bits where it is RSA, and no other critical extension than `subjectAltName` and `extKeyUsage`; the 400 says by its number which one has not. Whether it is valid now is looked at when a device signs in. The limit `applicationcertificateauthority` of the owner counts the authorities of each application. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ApplicationCertificateAuthority>> {
    return this.authorities.create(application, body, by);
  }
}
