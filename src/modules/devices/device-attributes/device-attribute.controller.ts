import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE, DEVICE_ATTRIBUTE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { DeviceAttribute, DeviceAttributePatch } from './device-attribute.resource.js';
import { AttributeNamePipe } from './attribute-name.pipe.js';
import { DeviceAttributesService } from './device-attributes.service.js';

@Controller('applications/:applicationId/devices/:deviceId/attributes/:name')
export class DeviceAttributeController {
  constructor(private readonly attributes: DeviceAttributesService) {}

  @Get()
  @Operation('deviceAttribute.get', {
    summary: 'Returns an attribute of a device',
    description:
      'Returns the definition of the attribute, not the values that the device has reported for it.',
    scopes: DEVICE_ATTRIBUTE_READ,
    role: 'view',
    returns: { 200: DeviceAttribute },
    missing: 'device attribute',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Param('name', AttributeNamePipe) name: string,
  ): Promise<DeviceAttribute> {
    return this.attributes.get(application, deviceId, name);
  }

  @Patch()
  @Operation('deviceAttribute.patch', {
    summary: 'Updates an attribute of a device',
    description:
      'Omitted properties keep their value; arrays are replaced, not merged. The data type cannot be changed. A renamed attribute keeps the values that the device has reported for it.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { deviceAttribute: DeviceAttributePatch },
    example: { description: 'Bar, at the inlet' },
    returns: { 200: DeviceAttribute },
    missing: 'device attribute',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Param('name', AttributeNamePipe) name: string,
    @Body() body: DeviceAttributePatch,
    @By() by: Author,
  ): Promise<DeviceAttribute> {
    return this.attributes.patch(application, deviceId, name, body, by);
  }

  @Delete()
  @Operation('deviceAttribute.delete', {
    summary: 'Deletes an attribute of a device',
    description:
      'Permanently deletes the attribute and the values that the device has reported for it. An attribute created later with the same name starts without values.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'device attribute',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Param('name', AttributeNamePipe) name: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.attributes.delete(application, deviceId, name, by);
  }
}
