import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import {
  EmbeddedDeployment,
  EmbeddedDeploymentRelease,
  EmbeddedDeploymentRemove,
  EmbeddedDeploymentReplace,
  EmbeddedDeployments,
} from './embedded-deployment.resource.js';
import { EMBEDDED_OPERATIONS } from './embedded-deployments.operations.js';
import { EmbeddedDeploymentsQuery } from './embedded-deployments.query.js';
import { EmbeddedDeploymentsService } from './embedded-deployments.service.js';

@Controller('applications/:applicationId/embedded/deployments')
export class EmbeddedDeploymentsController {
  constructor(private readonly deployments: EmbeddedDeploymentsService) {}

  @Get()
  @Operation('embeddedDeployments.get', {
    ...EMBEDDED_OPERATIONS.list,
    scopes: APPLICATION_READ,
    returns: { 200: EmbeddedDeployments },
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EmbeddedDeploymentsQuery,
  ): Promise<StoredPage<EmbeddedDeployment>> {
    return this.deployments.list(application, query);
  }

  @Post('release')
  @Operation('embeddedDeployments.release', {
    ...EMBEDDED_OPERATIONS.release,
    scopes: APPLICATION_WRITE,
    body: { embeddedDeploymentRelease: EmbeddedDeploymentRelease },
    returns: { 201: Success },
  })
  release(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EmbeddedDeploymentRelease,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.release(application, body, by);
  }

  @Post('remove')
  @Operation('embeddedDeployments.remove', {
    ...EMBEDDED_OPERATIONS.remove,
    scopes: APPLICATION_WRITE,
    body: { embeddedDeploymentRemove: EmbeddedDeploymentRemove },
    returns: { 201: Success },
  })
  remove(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EmbeddedDeploymentRemove,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.remove(application, body, by);
  }

  @Post('replace')
  @Operation('embeddedDeployments.replace', {
    ...EMBEDDED_OPERATIONS.replace,
    scopes: APPLICATION_WRITE,
    body: { embeddedDeploymentReplace: EmbeddedDeploymentReplace },
    returns: { 201: Success },
  })
  replace(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EmbeddedDeploymentReplace,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.replace(application, body, by);
  }
}
