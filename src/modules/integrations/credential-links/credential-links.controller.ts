import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { LinkedResourcesQuery } from './credential-links.query.js';
import { CredentialLinksService } from './credential-links.service.js';
import { CredentialLinkedResources } from './linked-resources.schemas.js';

@Controller('applications/:applicationId/credentials/:credentialId/linkedResources')
export class CredentialLinksController {
  constructor(private readonly links: CredentialLinksService) {}

  @Get()
  @Operation('credential.linkedResources', {
    summary: 'Lists the resources that use a service credential',
    description:
      "Returns the workflows, workflow versions and integrations of the application that refer to the credential by its name: in the `credentialName` of a node's configuration, or of the integration. Returns the first 1,000 of each kind, in order of name.",
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: CredentialLinkedResources },
    missing: 'credential',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Param('credentialId') credentialId: string,
    @Query() _: LinkedResourcesQuery,
  ): Promise<CredentialLinkedResources> {
    return this.links.list(application, credentialId);
  }
}
