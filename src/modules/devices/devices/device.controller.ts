import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, DEVICES_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Device, DevicePatch } from './device.resource.js';
import { shown } from './device.forms.js';
import { DeviceQuery, DeviceShownQuery } from './devices.query.js';
import { DevicesService } from './devices.service.js';

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @Operation('device.get', {
    summary: 'Returns a device',
    description:
      'One that is deleted is found by the list of deleted devices alone. A device that asks finds itself, and those that its access key reaches. Needs the role `view` on the application.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: Device },
    missing: 'device',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @Query() query: DeviceQuery,
  ): Promise<Stored<Device>> {
    return this.devices.get(application, id, query);
  }

  @Patch()
  @Operation('device.patch', {
    summary: 'Changes a device',
    description:
      'What is absent stays as it is, and lists are replaced whole. An attribute is known by its name: one that is left out, or gets another data type, loses what was reported for it. The class may change, but not to or from `system`, and not while the device is the gateway of peripherals. A floating device that gets a `gatewayId` is a peripheral, and a peripheral that becomes `floating` loses its gateway. A system cannot go below itself. A device that is no longer of class `embedded` or `edgeCompute` is not to run its workflows any more. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { device: DevicePatch },
    example: { name: 'Pump 4', tags: [{ key: 'site', value: 'north' }] },
    returns: { 200: Device },
    missing: 'device',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @Body() body: DevicePatch,
    @Query() query: DeviceShownQuery,
    @By() by: Author,
  ): Promise<Stored<Device>> {
    return shown(this.devices.patch(application, id, body, by), query);
  }

  @Delete()
  @Operation('device.delete', {
    summary: 'Deletes a device',
    description:
      "It is found by the list of deleted devices alone from then on, no longer counts, and signs in and reports no more, until it is restored. Devices below a system that is deleted, and peripherals of a gateway, stay and go on naming it, so that all is as before once it is restored; until then it is nobody's ancestor. What it runs and is to run of workflows stays with it. Needs the role `collaborate` on the application.",
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'device',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.devices.delete(application, id, by);
  }
}
