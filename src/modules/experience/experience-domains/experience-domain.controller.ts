import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceDomain, ExperienceDomainPatch } from './experience-domain.resource.js';
import { ExperienceDomainsService } from './experience-domains.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/domains/:experienceDomainId')
export class ExperienceDomainController {
  constructor(private readonly domains: ExperienceDomainsService) {}

  @Get()
  @Operation('experienceDomain.get', {
    summary: 'Returns a domain of an experience',
    description: 'Returns a domain without its private key.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ExperienceDomain },
    missing: 'domain',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceDomainId') id: string,
  ): Promise<StoredResource<ExperienceDomain>> {
    return this.domains.get(applicationId, id);
  }

  @Patch()
  @Operation('experienceDomain.patch', {
    summary: 'Updates a domain of an experience',
    description:
      'Omitted properties keep their value; `null` removes a value. A new name must be available like that of a new domain. If the name, certificate, key or bundle changes, the result must satisfy the rules for a new domain. A certificate can only be removed together with its key and bundle. If the instance requires proof of control and the TXT record of the domain was never seen, any change requires it. A new certificate for the same key does not require the key again.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { experienceDomain: ExperienceDomainPatch },
    example: { version: 'develop' },
    returns: { 200: ExperienceDomain },
    missing: 'domain',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceDomainId') id: string,
    @Body() body: ExperienceDomainPatch,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceDomain>> {
    return this.domains.patch(application, id, body, by);
  }

  @Delete()
  @Operation('experienceDomain.delete', {
    summary: 'Deletes a domain of an experience',
    description: 'Permanently deletes the domain and its key, and releases its name.',
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
