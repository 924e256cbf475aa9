import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { AttributeNamesQuery, DeviceNamesQuery, TagValuesQuery } from './device-names.query.js';
import {
  AttributeNamesResponse,
  DeviceNamesResponse,
  MAX_NAMES,
  TagKeysResponse,
  TagValuesResponse,
} from './device-names.resource.js';
import { DeviceNamesService } from './device-names.service.js';

const NAMES_NOTE = `Returns the first ${MAX_NAMES} results. Deleted devices are excluded.`;

@Controller('applications/:applicationId/devices')
export class DeviceNamesController {
  constructor(private readonly names: DeviceNamesService) {}

  @Get('deviceNames')
  @Operation('devices.deviceNames', {
    summary: 'Lists the names of devices',
    description: NAMES_NOTE,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: DeviceNamesResponse },
    missing: 'application',
  })
  deviceNames(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: DeviceNamesQuery,
  ): Promise<DeviceNamesResponse> {
    return this.names.deviceNames(application, query);
  }

  @Get('tagKeys')
  @Operation('devices.tagKeys', {
    summary: 'Lists the tag keys of devices',
    description: NAMES_NOTE,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: TagKeysResponse },
    missing: 'application',
  })
  tagKeys(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: DeviceNamesQuery,
  ): Promise<TagKeysResponse> {
    return this.names.tagKeys(application, query);
  }

  @Get('tagValues')
  @Operation('devices.tagValues', {
    summary: 'Lists the values of a tag key of devices',
    description: NAMES_NOTE,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: TagValuesResponse },
    missing: 'application',
  })
  tagValues(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: TagValuesQuery,
  ): Promise<TagValuesResponse> {
    return this.names.tagValues(application, query);
  }

  @Get('attributeNames')
  @Operation('devices.attributeNames', {
    summary: 'Lists the attribute names of devices',
    description: NAMES_NOTE,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: AttributeNamesResponse },
    missing: 'application',
  })
  attributeNames(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: AttributeNamesQuery,
  ): Promise<AttributeNamesResponse> {
    return this.names.attributeNames(application, query);
  }
}
