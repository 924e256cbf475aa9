import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { IN_TURN } from '../deployments/deployment-requests.js';
import {
  EdgeDeployment,
  EdgeDeploymentRelease,
  EdgeDeploymentRemove,
  EdgeDeploymentReplace,
  EdgeDeployments,
} from './edge-deployment.resource.js';
import { EdgeDeploymentsQuery } from './edge-deployments.query.js';
import { EdgeDeploymentsService } from './edge-deployments.service.js';

@Controller('applications/:applicationId/edge/deployments')
export class EdgeDeploymentsController {
  constructor(private readonly deployments: EdgeDeploymentsService) {}

  @Get()
  @Operation('edgeDeployments.get', {
    summary: 'Returns the edge deployments of an application',
    description:
      'Those of devices that were deleted are left out until these are restored. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: EdgeDeployments },
    missing: 'application or device',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EdgeDeploymentsQuery,
  ): Promise<StoredPage<EdgeDeployment>> {
    return this.deployments.list(application, query);
  }

  @Post('release')
  @Operation('edgeDeployments.release', {
    summary: 'Has devices run a version of a workflow',
    description: `The workflow has to be of class \`edge\`, or a custom node that supports it; custom nodes that a workflow executes are released like it. Of \`deviceIds\` each has to be of class \`edgeCompute\`; with \`deviceTags\` others are skipped. Each device is to run the version from now on, in the place of another one. What it runs, and so \`currentVersion\`, changes once its agent says so. Agents report through the broker, which is not part of this platform yet: until then all deployments stay pending. ${IN_TURN} A version that changes later, as \`develop\` does, is delivered anew; one that is deleted is removed from the devices, as a workflow is. Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { edgeDeploymentRelease: EdgeDeploymentRelease },
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
    @Body() body: EdgeDeploymentRelease,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.release(application, body, by);
  }

  @Post('remove')
  @Operation('edgeDeployments.remove', {
    summary: 'Removes workflows from devices',
    description: `One workflow from one device, with \`flowId\` null all from the device, or with \`deviceId\` null the workflow from all devices. What devices run stays until they say otherwise. ${IN_TURN} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { edgeDeploymentRemove: EdgeDeploymentRemove },
    example: { flowId: '575ec8687ae143cd83dc4a97', deviceId: null },
    returns: { 201: Success },
    missing: 'application, workflow or device',
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
    summary: 'Replaces a version of a workflow on all devices',
    description: `Devices that are to run the old version are to run the new one from now on, whatever they run now. ${IN_TURN} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { edgeDeploymentReplace: EdgeDeploymentReplace },
    example: { flowId: '575ec8687ae143cd83dc4a97', oldVersion: '1.4.0', newVersion: 'develop' },
    returns: { 201: Success },
    missing: 'application or workflow',
  })
  replace(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EdgeDeploymentReplace,
    @By() by: Author,
  ): Promise<Success> {
    return this.deployments.replace(application, body, by);
  }
}
