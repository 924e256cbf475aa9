import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { CertificateAuthoritiesService } from './certificate-authorities.service.js';
import {
  ApplicationCertificateAuthority,
  ApplicationCertificateAuthorityPatch,
} from './certificate-authority.resource.js';

@Controller('applications/:applicationId/certificate-authorities/:applicationCertificateAuthorityId')
export class CertificateAuthorityController {
  constructor(private readonly authorities: CertificateAuthoritiesService) {}

  @Get()
  @Operation('applicationCertificateAuthority.get', {
    summary: 'Returns a certificate authority',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ApplicationCertificateAuthority },
    missing: 'certificate authority',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateAuthorityId') id: string,
  ): Promise<Stored<ApplicationCertificateAuthority>> {
    return this.authorities.get(applicationId, id);
  }

  @Patch()
  @Operation('applicationCertificateAuthority.patch', {
    summary: 'Changes a certificate authority',
    description:
      'What is absent stays as it is. `caBundle` replaces the whole bundle, by the same rules as for a new authority. What it signed stays registered: a certificate is good for a sign-in as long as an active authority of the application signed it. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { applicationCertificateAuthority: ApplicationCertificateAuthorityPatch },
    example: { status: 'inactive' },
    returns: { 200: ApplicationCertificateAuthority },
    missing: 'certificate authority',
  })
  patch(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateAuthorityId') id: string,
    @Body() body: ApplicationCertificateAuthorityPatch,
    @By() by: Author,
  ): Promise<Stored<ApplicationCertificateAuthority>> {
    return this.authorities.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('applicationCertificateAuthority.delete', {
    summary: 'Deletes a certificate authority',
    description:
      'It is gone for good, also where it signed certificates that are registered: these stay, and are good for no sign-in unless another active authority of the application signed them, or this one is registered again. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'certificate authority',
  })
  delete(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateAuthorityId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.authorities.delete(applicationId, id, by);
  }
}
