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
    summary: 'Lists the embedded deployments of an application',
    description:
      'Returns a page of embedded deployments. Deployments of deleted devices are omitted until the device is restored.',
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
    summary: 'Deploys a workflow version to devices',
    description: `Sets the desired version of the workflow on each device, replacing any other version. The workflow must have the class \`embedded\`. Devices in \`deviceIds\` must have the class \`embedded\`; devices selected by \`deviceTags\` are skipped if they have another class. A device gets its bundle after its next hello. \`currentVersion\` changes when the device reports the new bundle. ${IN_TURN} If the version changes later, as \`develop\` does, it is deployed again. If the version or the workflow is deleted, it is removed from the devices.`,
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
    description: `Removes one workflow from one device. If \`flowId\` is \`null\`, removes all workflows from the device. If \`deviceId\` is \`null\`, removes the workflow from all devices. \`currentVersion\` is unchanged until the device reports the removal. ${IN_TURN}`,
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
    description: `Changes the desired version of all devices for which it is \`oldVersion\` to \`newVersion\`, whatever version they currently run. ${IN_TURN}`,
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
