import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
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
    description: 'Returns the authority with the PEM bundle and the details of its certificates.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ApplicationCertificateAuthority },
    missing: 'certificate authority',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateAuthorityId') id: string,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    return this.authorities.get(applicationId, id);
  }

  @Patch()
  @Operation('applicationCertificateAuthority.patch', {
    summary: 'Updates a certificate authority',
    description:
      'Omitted properties keep their value. `caBundle` replaces the whole bundle and must meet the same requirements as for a new authority. Device certificates that the authority signed remain registered. They can be used to sign in as long as an active authority of the application signed them.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { applicationCertificateAuthority: ApplicationCertificateAuthorityPatch },
    example: { status: 'inactive' },
    returns: { 200: ApplicationCertificateAuthority },
    missing: 'certificate authority',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('applicationCertificateAuthorityId') id: string,
    @Body() body: ApplicationCertificateAuthorityPatch,
    @By() by: Author,
  ): Promise<StoredResource<ApplicationCertificateAuthority>> {
    return this.authorities.patch(application, id, body, by);
  }

  @Delete()
  @Operation('applicationCertificateAuthority.delete', {
    summary: 'Deletes a certificate authority',
    description:
      'Permanently deletes the authority, even if it signed registered device certificates. These remain registered but cannot be used to sign in, unless another active authority of the application signed them or this authority is registered again.',
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
