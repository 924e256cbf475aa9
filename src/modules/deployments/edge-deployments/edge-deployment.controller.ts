import { Controller, Get, Param } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { EdgeDeployment } from './edge-deployment.resource.js';
import { EDGE_OPERATIONS } from './edge-deployments.operations.js';
import { EdgeDeploymentsService } from './edge-deployments.service.js';

@Controller('applications/:applicationId/edge/deployments/:edgeDeploymentId')
export class EdgeDeploymentController {
  constructor(private readonly deployments: EdgeDeploymentsService) {}

  @Get()
  @Operation('edgeDeployment.get', {
    ...EDGE_OPERATIONS.get,
    scopes: APPLICATION_CHILDREN_READ,
    returns: { 200: EdgeDeployment },
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('edgeDeploymentId') id: string,
  ): Promise<StoredResource<EdgeDeployment>> {
    return this.deployments.get(application, id);
  }
}
