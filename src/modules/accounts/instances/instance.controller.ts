import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Instance, InstancePatch } from './instance.resource.js';
import { InstancesService } from './instances.service.js';

@Controller('instances/:instanceId')
export class InstanceController {
  constructor(private readonly instances: InstancesService) {}

  @Get()
  @Operation('instance.get', {
    summary: 'Returns an instance',
    description: 'With the ids and roles of its members. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: Instance },
    missing: 'instance',
  })
  get(@Param('instanceId') id: string): Promise<Stored<Instance>> {
    return this.instances.get(id);
  }

  @Patch()
  @Operation('instance.patch', {
    summary: 'Changes an instance',
    description:
      'What is absent stays as it is; `orgDefaultLimitConfig` and `reportConfigs` replace what was there as a whole. With `mfaMode`, members without a second factor lose their rights in the instance until they turn one on; a mode that would do so to you is refused. `orgDefaultLimitConfig` holds for organizations made from then on. Needs the role `admin` in the instance.',
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
  ): Promise<Stored<Instance>> {
    return this.instances.patch(id, body, by);
  }
}
