import { Body, Controller, Get, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceDomain, ExperienceDomainPost, ExperienceDomains } from './experience-domain.resource.js';
import { ExperienceDomainsService } from './experience-domains.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/domains')
export class ExperienceDomainsController {
  constructor(private readonly domains: ExperienceDomainsService) {}

  @Get()
  @Operation('experienceDomains.get', {
    summary: 'Lists the domains of an experience',
    description: 'Returns all domains, sorted by name, without their private keys.',
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
      'Creates a domain. Supported only for applications of an organization. The name must be unique on the platform. `*.example.com` covers all names one label below `example.com`. Returns `400` if a wildcard of another owner covers the name, if the name is a wildcard that covers a name of another owner, or if it belongs to the platform. If the instance requires proof of control (`DOMAIN_VERIFICATION`), `_fieldwright.<domain>` must have a TXT record. Its value derives from the ID of the application. The `400` for a missing record names the record and its value. Repeat the request when the record exists. `sslCert` requires its `sslKey`. It must be exactly one certificate that is valid now. A certificate authority is accepted only if it is self-signed, as `openssl req -x509` makes it. If it has an extended key usage, that must include server authentication. Its names must include the domain, directly or with a wildcard of one label. Each certificate in `sslBundle` must be a certificate authority that signed the preceding one. RSA keys must have at least 2,048 bits. The key is stored encrypted and never returned. The `experiencedomain` limit of the owner applies to the number of domains per application. The processes that serve sites answer requests to the domain with the version that it points to, and `404` if it points to none. A domain with a certificate is also served with TLS (`SITES_TLS_PORT`). Create a DNS record that leads to these processes, such as a CNAME to `<applicationId>.<SITES_DOMAIN>`.',
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
  ): Promise<StoredResource<ExperienceDomain>> {
    return this.domains.create(application, body, by);
  }
}
