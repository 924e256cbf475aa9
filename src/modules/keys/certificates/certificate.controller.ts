import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApplicationCertificate, ApplicationCertificatePatch } from './certificate.resource.js';
import { CertificatesService } from './certificates.service.js';

@Controller('applications/:applicationId/certificates/:applicationCertificateId')
export class CertificateController {
  constructor(private readonly certificates: CertificatesService) {}

  @Get()
  @Operation('applicationCertificate.get', {
    summary: 'Returns a certificate of devices',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ApplicationCertificate },
    missing: 'certificate',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateId') id: string,
  ): Promise<Stored<ApplicationCertificate>> {
    return this.certificates.get(applicationId, id);
  }

  @Patch()
  @Operation('applicationCertificate.patch', {
    summary: 'Changes a certificate of devices',
    description:
      'What is absent stays as it is, and lists are replaced whole. `certificate` puts another in its place, by the same rules as for a new one; the one that was there signs nobody in from then on. Which devices may use it is fixed. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { applicationCertificate: ApplicationCertificatePatch },
    example: { status: 'inactive' },
    returns: { 200: ApplicationCertificate },
    missing: 'certificate',
  })
  patch(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('applicationCertificateId') id: string,
    @Body() body: ApplicationCertificatePatch,
    @By() by: Author,
  ): Promise<Stored<ApplicationCertificate>> {
    return this.certificates.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('applicationCertificate.delete', {
    summary: 'Deletes a certificate of devices',
    description:
      'It signs nobody in from then on, also where its common name is the id of a device, and tokens that devices got with it are void. It is gone for good. Needs the role `collaborate` on the application.',
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
