import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import {
  EdgeDeployment,
  EdgeDeploymentRelease,
  EdgeDeploymentRemove,
  EdgeDeploymentReplace,
  EdgeDeployments,
} from './edge-deployment.resource.js';
import { EDGE_OPERATIONS } from './edge-deployments.operations.js';
import { EdgeDeploymentsQuery } from './edge-deployments.query.js';
import { EdgeDeploymentsService } from './edge-deployments.service.js';

@Controller('applications/:applicationId/edge/deployments')
export class EdgeDeploymentsController {
  constructor(private readonly deployments: EdgeDeploymentsService) {}

  @Get()
  @Operation('edgeDeployments.get', {
    ...EDGE_OPERATIONS.list,
    scopes: APPLICATION_CHILDREN_READ,
    returns: { 200: EdgeDeployments },
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EdgeDeploymentsQuery,
  ): Promise<StoredPage<EdgeDeployment>> {
    return this.deployments.list(application, query);
  }

  @Post('release')
  @Operation('edgeDeployments.release', {
    ...EDGE_OPERATIONS.release,
    scopes: APPLICATION_CHILDREN_WRITE,
    body: { edgeDeploymentRelease: EdgeDeploymentRelease },
    returns: { 201: Success },
  })
  release(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EdgeDeploymentRelease,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.release(application, body, by);
  }

  @Post('remove')
  @Operation('edgeDeployments.remove', {
    ...EDGE_OPERATIONS.remove,
    scopes: APPLICATION_CHILDREN_WRITE,
    body: { edgeDeploymentRemove: EdgeDeploymentRemove },
    returns: { 201: Success },
  })
  remove(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EdgeDeploymentRemove,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.remove(application, body, by);
  }

  @Post('replace')
  @Operation('edgeDeployments.replace', {
    ...EDGE_OPERATIONS.replace,
    scopes: APPLICATION_CHILDREN_WRITE,
    body: { edgeDeploymentReplace: EdgeDeploymentReplace },
    returns: { 201: Success },
  })
  replace(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EdgeDeploymentReplace,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.replace(application, body, by);
  }
}
