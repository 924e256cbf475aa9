import { Body, Controller, Get, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { ExperienceDomain, ExperienceDomainPost, ExperienceDomains } from './experience-domain.resource.js';
import { ExperienceDomainsService } from './experience-domains.service.js';

@Controller('applications/:applicationId/experience/domains')
export class ExperienceDomainsController {
  constructor(private readonly domains: ExperienceDomainsService) {}

  @Get()
  @Operation('experienceDomains.get', {
    summary: 'Returns the domains of an experience',
    description:
      'All of them, by name. Private keys are never shown. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceDomains },
    missing: 'application',
  })
  list(@CurrentApplication() { id }: ApplicationAccess): Promise<StoredPage<ExperienceDomain>> {
    return this.domains.list(id);
  }

  @Post()
  @Operation('experienceDomains.post', {
    summary: 'Creates a domain of an experience',
    description:
      'Only for applications of an organization. The name must be new on the platform; `*.example.com` stands for all one label below. `sslCert` comes with the `sslKey` that it is of, is exactly one certificate, valid now, of no authority, for servers where it says what it is for, and has the domain among its names, itself or as a wildcard of one label. `sslBundle` has those above it, each of the authority that signed the one before. RSA keys have at least 2,048 bits. The key is kept encrypted and never shown. The limit `experiencedomain` of the owner counts the domains of each application. Experiences are not served at their domains yet. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceDomain: ExperienceDomainPost },
    example: { domainName: 'pumps.example.com', version: 'develop' },
    returns: { 201: ExperienceDomain },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceDomainPost,
    @By() by: Author,
  ): Promise<Stored<ExperienceDomain>> {
    return this.domains.create(application, body, by);
  }
}
