import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import {
  FLOW_STORAGE_ENTRIES,
  FLOW_STORAGE_ENTRY,
  FLOW_STORAGE_METADATA,
  type FlowStorageEntry,
} from './flow-storage.schemas.js';
import { FlowStorageService } from './flow-storage.service.js';

@Controller('applications/:applicationId/flows/:flowId')
export class FlowStorageController {
  constructor(private readonly storage: FlowStorageService) {}

  @Get('storage')
  @Operation('flow.getStorageEntries', {
    summary: 'Returns what a workflow stores',
    description: 'All of its values by their keys. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_STORAGE_ENTRIES },
    missing: 'flow',
  })
  entries(@CurrentApplication() { id }: ApplicationAccess, @Param('flowId') flowId: string): Promise<object> {
    return this.storage.entries(id, flowId);
  }

  @Get('storage-metadata')
  @Operation('flow.getStorageEntriesMetadata', {
    summary: 'Returns how much a workflow stores',
    description: 'The number of its values and their size. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FLOW_STORAGE_METADATA },
    missing: 'flow',
  })
  metadata(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
  ): Promise<object> {
    return this.storage.metadata(id, flowId);
  }

  @Patch('storage')
  @Operation('flow.setStorageEntry', {
    summary: 'Sets or removes a value that a workflow stores',
    description:
      'The value takes the place of whatever the key held; without `value` the key is removed, also where there was none. A workflow stores at most 1 MiB, and the limit `storage` of the owner is for all of its workflows together. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { flowStorageEntry: FLOW_STORAGE_ENTRY },
    example: { key: 'lastAlarm', value: { temp: 99 } },
    returns: { 200: Success },
    missing: 'flow',
  })
  set(
    @CurrentApplication() application: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Body() body: FlowStorageEntry,
    @By() by: Author,
  ): Promise<Success> {
    return this.storage.set(application, flowId, body, by);
  }

  @Delete('storage')
  @Operation('flow.clearStorageEntries', {
    summary: 'Removes all that a workflow stores',
    description:
      'It is gone for good; the answer is what the workflow stores then: nothing. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: FLOW_STORAGE_ENTRIES },
    missing: 'flow',
  })
  clear(
    @CurrentApplication() application: ApplicationAccess,
    @Param('flowId') flowId: string,
    @By() by: Author,
  ): Promise<object> {
    return this.storage.clear(application, flowId, by);
  }
}
