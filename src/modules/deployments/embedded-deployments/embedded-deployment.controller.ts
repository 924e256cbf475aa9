import { Controller, Get, Param } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { EmbeddedDeployment } from './embedded-deployment.resource.js';
import { EMBEDDED_OPERATIONS } from './embedded-deployments.operations.js';
import { EmbeddedDeploymentsService } from './embedded-deployments.service.js';

@Controller('applications/:applicationId/embedded/deployments/:embeddedDeploymentId')
export class EmbeddedDeploymentController {
  constructor(private readonly deployments: EmbeddedDeploymentsService) {}

  @Get()
  @Operation('embeddedDeployment.get', {
    ...EMBEDDED_OPERATIONS.get,
    scopes: APPLICATION_CHILDREN_READ,
    returns: { 200: EmbeddedDeployment },
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('embeddedDeploymentId') id: string,
  ): Promise<StoredResource<EmbeddedDeployment>> {
    return this.deployments.get(application, id);
  }
}
