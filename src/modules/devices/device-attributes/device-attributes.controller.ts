import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, DEVICES_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import type { Page } from '../../../platform/lists/page.js';
import { Operation } from '../../../platform/operations/operation.js';
import { DeviceAttribute, DeviceAttributePost, DeviceAttributes } from './device-attribute.resource.js';
import { DeviceAttributesQuery } from './device-attributes.query.js';
import { DeviceAttributesService } from './device-attributes.service.js';

@Controller('applications/:applicationId/devices/:deviceId/attributes')
export class DeviceAttributesController {
  constructor(private readonly attributes: DeviceAttributesService) {}

  @Get()
  @Operation('deviceAttributes.get', {
    summary: 'Lists the attributes of a device',
    description: 'Returns all attributes in one response; a device has at most 256.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: DeviceAttributes },
    missing: 'device',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() { list }: DeviceAttributesQuery,
  ): Promise<Page<DeviceAttribute>> {
    return this.attributes.list(application, deviceId, list);
  }

  @Post()
  @Operation('deviceAttributes.post', {
    summary: 'Adds an attribute to a device',
    description:
      'Values that the device reports for the attribute are stored from then on. Values reported for an earlier attribute of the same name are not carried over. A device can have at most 256 attributes, and their names are unique within the device.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { deviceAttribute: DeviceAttributePost },
    example: { name: 'pressure', dataType: 'number' },
    returns: { 201: DeviceAttribute },
    missing: 'device',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Body() body: DeviceAttributePost,
    @By() by: Author,
  ): Promise<DeviceAttribute> {
    return this.attributes.create(application, deviceId, body, by);
  }
}
