import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, DEVICES_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Device, DevicePost, Devices } from './device.resource.js';
import { toForm } from './device.forms.js';
import { DeviceFormQuery, DevicesQuery } from './devices.query.js';
import { DevicesService } from './devices.service.js';

@Controller('applications/:applicationId/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @Operation('devices.get', {
    summary: 'Lists the devices of an application',
    description:
      'Returns devices that are not deleted, or deleted ones with `queryDeleted`. `tagFilter` finds devices that have any of its tags. An advanced query replaces `filterField`, `filter`, `deviceClass`, `tagFilter` and `parentId`. In the query, `ancestorId` matches systems at any level above a device, `attributeName` the names of its attributes, and `connectionStatus` its `connectionInfo.connected`. `experienceGroupId` matches experience groups that include the device by ID, tag or `deviceQueryJson`, and the groups above them. `experienceUserId` matches the users of these groups. Both can occur in at most 20 places. Returns `400` if the groups have more than 1000 such queries or an invalid one. Sorting by `connectionStatus` returns disconnected devices first, and devices without a reported status last. If the caller is a device, the list is limited to the devices that its access key allows.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: Devices },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: DevicesQuery,
  ): Promise<StoredPage<Device>> {
    return this.devices.list(application, query);
  }

  @Post()
  @Operation('devices.post', {
    summary: 'Creates a device',
    description:
      'By default, the device is `standalone`, has no tags or attributes, and `keepDuplicates` is `false`. A `peripheral` requires a gateway in `gatewayId`; without one it is `floating`. A device can be placed below a system. Systems can be nested up to 100 levels. Attribute names are unique within the device; `contentType` is only for blobs, and `system` only for attributes of systems. `systemInterval` defaults to 60 seconds, or to the limit `systemInterval` of the owner if that is longer. The limit `device` of the owner applies to the devices of each application that are not deleted.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { device: DevicePost },
    example: {
      name: 'Pump 3',
      tags: [{ key: 'site', value: 'north' }],
      attributes: [{ name: 'pressure', dataType: 'number' }],
    },
    returns: { 201: Device },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicePost,
    @Query() query: DeviceFormQuery,
    @By() by: Author,
  ): Promise<StoredResource<Device>> {
    return toForm(this.devices.create(application, body, by), query);
  }
}
