import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Integration, IntegrationPatch } from './integration.resource.js';
import { IntegrationDeleteQuery } from './integrations.query.js';
import { IntegrationsService } from './integrations.service.js';

@Controller('applications/:applicationId/integrations/:integrationId')
export class IntegrationController {
  constructor(private readonly integrations: IntegrationsService) {}

  @Get()
  @Operation('integration.get', {
    summary: 'Returns an integration',
    description:
      'Secrets are not included; no response contains them. `status` is absent, because the platform does not connect to the service yet.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Integration },
    missing: 'integration',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('integrationId') integrationId: string,
  ): Promise<StoredResource<Integration>> {
    return this.integrations.get(id, integrationId);
  }

  @Patch()
  @Operation('integration.patch', {
    summary: 'Updates an integration',
    description:
      'Omitted properties keep their value. A configuration is replaced, except that omitted secrets keep their value; `null` removes a secret. The type cannot be changed, and the configuration of another type is rejected. The platform does not connect to the service yet.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { integration: IntegrationPatch },
    example: { enabled: false },
    returns: { 200: Integration },
    missing: 'integration',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('integrationId') integrationId: string,
    @Body() body: IntegrationPatch,
    @By() by: Author,
  ): Promise<StoredResource<Integration>> {
    return this.integrations.patch(id, integrationId, body, by);
  }

  @Delete()
  @Operation('integration.delete', {
    summary: 'Deletes an integration',
    description:
      'Permanently deletes the integration. With `includeWorkflows`, also deletes the workflows that have a trigger for it in the default version or the development version, with all of their versions; returns `400` if there are more than 1,000. Otherwise the workflows are kept, and the trigger no longer fires.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'integration',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('integrationId') integrationId: string,
    @Query() { includeWorkflows }: IntegrationDeleteQuery,
    @By() by: Author,
  ): Promise<Success> {
    return this.integrations.delete(application, integrationId, includeWorkflows, by);
  }
}
