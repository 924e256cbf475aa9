import { Controller, Get, Param } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { EmbeddedDeployment } from './embedded-deployment.resource.js';
import { EmbeddedDeploymentsService } from './embedded-deployments.service.js';

@Controller('applications/:applicationId/embedded/deployments/:embeddedDeploymentId')
export class EmbeddedDeploymentController {
  constructor(private readonly deployments: EmbeddedDeploymentsService) {}

  @Get()
  @Operation('embeddedDeployment.get', {
    summary: 'Returns an embedded deployment',
    description:
      'Returns the deployment. Returns `404` while its device is deleted; restoring the device makes the deployment available again.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: EmbeddedDeployment },
    missing: 'deployment',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('embeddedDeploymentId') id: string,
  ): Promise<Stored<EmbeddedDeployment>> {
    return this.deployments.get(application, id);
  }
}
