import { Controller, Get, Param } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { EdgeDeployment } from './edge-deployment.resource.js';
import { EdgeDeploymentsService } from './edge-deployments.service.js';

@Controller('applications/:applicationId/edge/deployments/:edgeDeploymentId')
export class EdgeDeploymentController {
  constructor(private readonly deployments: EdgeDeploymentsService) {}

  @Get()
  @Operation('edgeDeployment.get', {
    summary: 'Returns an edge deployment',
    description:
      'Returns the deployment. Returns `404` while its device is deleted; restoring the device makes the deployment available again.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: EdgeDeployment },
    missing: 'deployment',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('edgeDeploymentId') id: string,
  ): Promise<Stored<EdgeDeployment>> {
    return this.deployments.get(application, id);
  }
}
