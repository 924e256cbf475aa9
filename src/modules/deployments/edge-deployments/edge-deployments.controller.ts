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
    summary: 'Lists the edge deployments of an application',
    description:
      'Returns a page of edge deployments. Deployments of deleted devices are omitted until the device is restored.',
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
    summary: 'Deploys a workflow version to devices',
    description: `Sets the desired version of the workflow on each device, replacing any other version. The workflow must have the class \`edge\` or be a custom node that supports edge; custom nodes that a workflow uses are released separately. Devices in \`deviceIds\` must have the class \`edgeCompute\`; devices selected by \`deviceTags\` are skipped if they have another class. \`currentVersion\` changes when the agent reports the new version. Agents report through the broker, which this platform does not include yet; until then, all deployments remain pending. ${IN_TURN} If the version changes later, as \`develop\` does, it is deployed again. If the version or the workflow is deleted, it is removed from the devices.`,
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
    description: `Removes one workflow from one device. If \`flowId\` is \`null\`, removes all workflows from the device. If \`deviceId\` is \`null\`, removes the workflow from all devices. \`currentVersion\` is unchanged until the device reports the removal. ${IN_TURN}`,
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
    description: `Changes the desired version of all devices for which it is \`oldVersion\` to \`newVersion\`, whatever version they currently run. ${IN_TURN}`,
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
