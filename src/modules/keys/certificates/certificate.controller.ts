import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApplicationCertificate, ApplicationCertificatePatch } from './certificate.resource.js';
import { CertificatesService } from './certificates.service.js';

@Controller('applications/:applicationId/certificates/:applicationCertificateId')
export class CertificateController {
  constructor(private readonly certificates: CertificatesService) {}

  @Get()
  @Operation('applicationCertificate.get', {
    summary: 'Returns a device certificate',
    description: 'Returns the certificate with its details and the devices and topics that it allows.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ApplicationCertificate },
    missing: 'certificate',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateId') id: string,
  ): Promise<StoredResource<ApplicationCertificate>> {
    return this.certificates.get(applicationId, id);
  }

  @Patch()
  @Operation('applicationCertificate.patch', {
    summary: 'Updates a device certificate',
    description:
      'Omitted properties keep their value. Arrays are replaced, not merged. `certificate` replaces the previous certificate and must meet the same requirements as for a new one; the previous certificate can no longer be used to sign in. `deviceIds` and `deviceTags` cannot be changed.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { applicationCertificate: ApplicationCertificatePatch },
    example: { status: 'inactive' },
    returns: { 200: ApplicationCertificate },
    missing: 'certificate',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('applicationCertificateId') id: string,
    @Body() body: ApplicationCertificatePatch,
    @By() by: Author,
  ): Promise<StoredResource<ApplicationCertificate>> {
    return this.certificates.patch(application, id, body, by);
  }

  @Delete()
  @Operation('applicationCertificate.delete', {
    summary: 'Deletes a device certificate',
    description:
      'Permanently deletes the certificate. It can no longer be used to sign in, even if its common name is the ID of a device. Tokens issued for it are rejected immediately.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'certificate',
  })
  delete(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.certificates.delete(applicationId, id, by);
  }
}
