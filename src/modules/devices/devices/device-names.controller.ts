import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { AttributeNamesQuery, DeviceNamesQuery, TagValuesQuery } from './device-names.query.js';
import {
  AttributeNamesResponse,
  DeviceNamesResponse,
  MOST_NAMES,
  TagKeysResponse,
  TagValuesResponse,
} from './device-names.resource.js';
import { DeviceNamesService } from './device-names.service.js';

const TOLD = `The first ${MOST_NAMES}, of devices that are not deleted. Needs the role \`view\` on the application.`;

@Controller('applications/:applicationId/devices')
export class DeviceNamesController {
  constructor(private readonly names: DeviceNamesService) {}

  @Get('deviceNames')
  @Operation('devices.deviceNames', {
    summary: 'Returns the names of devices',
    description: TOLD,
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
    summary: 'Returns the keys of the tags of devices',
    description: TOLD,
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
    summary: 'Returns the values that tags of a key have on devices',
    description: TOLD,
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
    summary: 'Returns the names of the attributes of devices',
    description: TOLD,
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
