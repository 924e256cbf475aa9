import { Controller, Get, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { Instances, type Instance } from './instance.resource.js';
import { InstancesService } from './instances.service.js';
import { InstancesQuery } from './instances.query.js';

@Controller('instances')
export class InstancesController {
  constructor(private readonly instances: InstancesService) {}

  @Get()
  @Operation('instances.get', {
    summary: 'Lists your instances',
    description:
      'Returns the instances of which you are a member. Instances that require two-factor authentication are omitted if you do not use it.',
    scopes: USER_READ,
    returns: { 200: Instances },
  })
  list(@Caller() caller: Principal, @Query() { list }: InstancesQuery): Promise<StoredPage<Instance>> {
    return this.instances.list(caller, list);
  }
}
