import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, DEVICES_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Device, DevicePost, Devices } from './device.resource.js';
import { shown } from './device.forms.js';
import { DeviceShownQuery, DevicesQuery } from './devices.query.js';
import { DevicesService } from './devices.service.js';

@Controller('applications/:applicationId/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @Operation('devices.get', {
    summary: 'Returns the devices of an application',
    description:
      'Those that are not deleted, or with `queryDeleted` those that are. `tagFilter` finds devices that have one of its tags. An advanced query takes the place of `filterField`, `filter`, `deviceClass`, `tagFilter` and `parentId`: in it `ancestorId` asks for systems that a device stands below, at whatever distance, `attributeName` for the names of its attributes, and `connectionStatus` for what `connectionInfo.connected` is. `experienceGroupId` asks for the experience groups that are about it by its id, a tag or their `deviceQueryJson`, and for those above them, and `experienceUserId` for their users: both in 20 places at most, and 400 where the groups have more than 1000 such queries, or one that means nothing any more. By `connectionStatus` devices that are not connected come first, and those never heard of last. A device that asks finds those that its access key reaches. Needs the role `view` on the application.',
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
      'Unless it is said otherwise, it is `standalone`, has no tags and attributes, and keeps no duplicates. A `peripheral` names its gateway in `gatewayId`; without one it is `floating`. A device may stand below a system, and systems below each other, 100 at most one below the other. Names of attributes are unique within the device; `contentType` is for blobs, and `system` for attributes of systems. A system that says nothing of `systemInterval` reports every 60 seconds, or as often as the limit `systemInterval` of its owner allows. The limit `device` of the owner counts the devices of each application that are not deleted. Needs the role `collaborate` on the application.',
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
    @Query() query: DeviceShownQuery,
    @By() by: Author,
  ): Promise<Stored<Device>> {
    return shown(this.devices.create(application, body, by), query);
  }
}
