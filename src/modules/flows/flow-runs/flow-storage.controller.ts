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
    summary: 'Returns the storage of a workflow',
    description: 'Returns all values that the workflow stores between its runs, by key.',
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
    summary: 'Returns the storage usage of a workflow',
    description: 'Returns the number of stored values and their total size in bytes.',
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
    summary: 'Sets or deletes a stored value of a workflow',
    description:
      "Replaces the value of the key. If `value` is omitted, deletes the key; the request also succeeds if the key does not exist. A workflow can store up to 1 MiB. The owner's limit `storage` applies to all of its workflows and files together.",
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
    summary: 'Deletes all stored values of a workflow',
    description: 'Permanently deletes all values. Returns the resulting storage, an empty object.',
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
