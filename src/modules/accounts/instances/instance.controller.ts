import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Instance, InstancePatch } from './instance.resource.js';
import { InstancesService } from './instances.service.js';

@Controller('instances/:instanceId')
export class InstanceController {
  constructor(private readonly instances: InstancesService) {}

  @Get()
  @Operation('instance.get', {
    summary: 'Returns an instance',
    description: 'Returns the instance with its settings and the IDs and roles of its members.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: Instance },
    missing: 'instance',
  })
  get(@Param('instanceId') id: string): Promise<StoredResource<Instance>> {
    return this.instances.get(id);
  }

  @Patch()
  @Operation('instance.patch', {
    summary: 'Updates an instance',
    description:
      'Omitted properties keep their value. `orgDefaultLimitConfig` and `reportConfigs` are replaced, not merged. With an `mfaMode` that requires two-factor authentication, members without it lose access to the instance until they enable it. A mode that would lock you out is rejected. `orgDefaultLimitConfig` applies to organizations created afterwards.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    body: { instance: InstancePatch },
    example: { orgDefaultLimitConfig: { application: 25, dataTTL: 2592000 } },
    returns: { 200: Instance },
    missing: 'instance',
  })
  patch(
    @Param('instanceId') id: string,
    @Body() body: InstancePatch,
    @By() by: Author,
  ): Promise<StoredResource<Instance>> {
    return this.instances.patch(id, body, by);
  }
}
