import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Integration, IntegrationPost, Integrations } from './integration.resource.js';
import { IntegrationsQuery } from './integrations.query.js';
import { IntegrationsService } from './integrations.service.js';

@Controller('applications/:applicationId/integrations')
export class IntegrationsController {
  constructor(private readonly integrations: IntegrationsService) {}

  @Get()
  @Operation('integrations.get', {
    summary: 'Lists the integrations of an application',
    description: 'Secrets are not included; no response contains them.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Integrations },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: IntegrationsQuery,
  ): Promise<StoredPage<Integration>> {
    return this.integrations.list(application, list);
  }

  @Post()
  @Operation('integrations.post', {
    summary: 'Creates an integration',
    description:
      "Creates an integration with the configuration of its type; the configuration of another type is rejected. `credentialName` can replace the secrets of the configuration if a service credential of the matching type exists: `azure` for `azureEventHub`, `gcp` for `googlePubSub`, `aws` for `sqs`. The integration is stored, but the platform does not connect to the service yet. The owner's limit `integration` applies to the integrations of each application.",
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { integration: IntegrationPost },
    example: { name: 'Pumps', integrationType: 'particle', particleConfig: { accessToken: 'Zx8pQ4' } },
    returns: { 201: Integration },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: IntegrationPost,
    @By() by: Author,
  ): Promise<StoredResource<Integration>> {
    return this.integrations.create(application, body, by);
  }
}
