import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, DEVICES_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Device, DevicePatch } from './device.resource.js';
import { toForm } from './device.forms.js';
import { DeviceQuery, DeviceFormQuery } from './devices.query.js';
import { DevicesService } from './devices.service.js';

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @Operation('device.get', {
    summary: 'Returns a device',
    description:
      'Deleted devices are only available in the list of deleted devices. A device can read itself and the devices that its access key allows.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: Device },
    missing: 'device',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @Query() query: DeviceQuery,
  ): Promise<StoredResource<Device>> {
    return this.devices.get(application, id, query);
  }

  @Patch()
  @Operation('device.patch', {
    summary: 'Updates a device',
    description:
      'Omitted properties keep their value. Arrays are replaced, not merged. Attributes are identified by name: an attribute that is missing from the array or changes its data type loses its reported values. The class can change, except to or from `system`, and except while the device is the gateway of peripherals. Setting `gatewayId` of a floating device makes it a peripheral; changing a peripheral to `floating` removes its gateway. A system cannot be moved below itself. If the class is no longer `embedded` or `edgeCompute`, the device is no longer expected to run its deployed workflows.',
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
    @Query() query: DeviceFormQuery,
    @By() by: Author,
  ): Promise<StoredResource<Device>> {
    return toForm(this.devices.patch(application, id, body, by), query);
  }

  @Delete()
  @Operation('device.delete', {
    summary: 'Deletes a device',
    description:
      'The device can be restored while it is in the list of deleted devices. Until then it is only available there, does not count toward limits, and cannot authenticate or report. Children of a deleted system and peripherals of a deleted gateway keep their reference, so that restoring it restores the hierarchy; it is omitted from their ancestors until then. Deployments to the device are kept.',
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
