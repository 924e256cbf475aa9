import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { IN_TURN } from '../deployments/deployment-requests.js';
import {
  EmbeddedDeployment,
  EmbeddedDeploymentRelease,
  EmbeddedDeploymentRemove,
  EmbeddedDeploymentReplace,
  EmbeddedDeployments,
} from './embedded-deployment.resource.js';
import { EmbeddedDeploymentsQuery } from './embedded-deployments.query.js';
import { EmbeddedDeploymentsService } from './embedded-deployments.service.js';

@Controller('applications/:applicationId/embedded/deployments')
export class EmbeddedDeploymentsController {
  constructor(private readonly deployments: EmbeddedDeploymentsService) {}

  @Get()
  @Operation('embeddedDeployments.get', {
    summary: 'Returns the embedded deployments of an application',
    description:
      'Those of devices that were deleted are left out until these are restored. Needs the role `view` on the application.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: EmbeddedDeployments },
    missing: 'application or device',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EmbeddedDeploymentsQuery,
  ): Promise<StoredPage<EmbeddedDeployment>> {
    return this.deployments.list(application, query);
  }

  @Post('release')
  @Operation('embeddedDeployments.release', {
    summary: 'Has devices run a version of a workflow',
    description: `The workflow has to be of class \`embedded\`. Of \`deviceIds\` each has to be of class \`embedded\`; with \`deviceTags\` others are skipped. Each device is to run the version from now on, in the place of another one. It gets its bundle with the next hello, and runs what it is to run once it says so: until then \`currentVersion\` stays as it is. ${IN_TURN} A version that changes later, as \`develop\` does, is delivered anew; one that is deleted is removed from the devices, as a workflow is. Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { embeddedDeploymentRelease: EmbeddedDeploymentRelease },
    example: {
      flowId: '575ec8687ae143cd83dc4a97',
      version: 'develop',
      deviceTags: [{ key: 'site', value: 'north' }],
    },
    returns: { 201: Success },
    missing: 'application, workflow or device',
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
    summary: 'Removes workflows from devices',
    description: `One workflow from one device, with \`flowId\` null all from the device, or with \`deviceId\` null the workflow from all devices. What devices run stays until they say otherwise. ${IN_TURN} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { embeddedDeploymentRemove: EmbeddedDeploymentRemove },
    example: { flowId: '575ec8687ae143cd83dc4a97', deviceId: null },
    returns: { 201: Success },
    missing: 'application, workflow or device',
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
    summary: 'Replaces a version of a workflow on all devices',
    description: `Devices that are to run the old version are to run the new one from now on, whatever they run now. ${IN_TURN} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { embeddedDeploymentReplace: EmbeddedDeploymentReplace },
    example: { flowId: '575ec8687ae143cd83dc4a97', oldVersion: '1.4.0', newVersion: 'develop' },
    returns: { 201: Success },
    missing: 'application or workflow',
  })
  replace(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EmbeddedDeploymentReplace,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.replace(application, body, by);
  }
}
