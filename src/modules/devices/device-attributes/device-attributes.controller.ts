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
    summary: 'Returns the attributes of a device',
    description: 'All of them, 256 at most. Needs the role `view` on the application.',
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
      'What the device reports of it is kept from then on, whatever an attribute of the same name reported before. A device has at most 256 attributes, their names unique. Needs the role `collaborate` on the application.',
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
