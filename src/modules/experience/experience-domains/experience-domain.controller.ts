import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceDomain, ExperienceDomainPatch } from './experience-domain.resource.js';
import { ExperienceDomainsService } from './experience-domains.service.js';

@Controller('applications/:applicationId/experience/domains/:experienceDomainId')
export class ExperienceDomainController {
  constructor(private readonly domains: ExperienceDomainsService) {}

  @Get()
  @Operation('experienceDomain.get', {
    summary: 'Returns a domain of an experience',
    description: 'Its private key is never shown. Needs the role `view` on the application.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ExperienceDomain },
    missing: 'domain',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceDomainId') id: string,
  ): Promise<Stored<ExperienceDomain>> {
    return this.domains.get(applicationId, id);
  }

  @Patch()
  @Operation('experienceDomain.patch', {
    summary: 'Changes a domain of an experience',
    description:
      'What is absent stays as it is, and `null` takes away. Whatever of the name, certificate, key and bundle changes has to go with what is there, by the rules for a new domain: a certificate goes only together with its key and its bundle, and a new one that is of the same key needs no other. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { experienceDomain: ExperienceDomainPatch },
    example: { version: 'develop' },
    returns: { 200: ExperienceDomain },
    missing: 'domain',
  })
  patch(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceDomainId') id: string,
    @Body() body: ExperienceDomainPatch,
    @By() by: Author,
  ): Promise<Stored<ExperienceDomain>> {
    return this.domains.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('experienceDomain.delete', {
    summary: 'Deletes a domain of an experience',
    description:
      'Its name is free from then on, and its key is gone for good. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'domain',
  })
  delete(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceDomainId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.domains.delete(applicationId, id, by);
  }
}
