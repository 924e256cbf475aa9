import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApplicationKey, ApplicationKeyPatch } from './application-key.resource.js';
import { ApplicationKeysService } from './application-keys.service.js';

@Controller('applications/:applicationId/keys/:applicationKeyId')
export class ApplicationKeyController {
  constructor(private readonly keys: ApplicationKeysService) {}

  @Get()
  @Operation('applicationKey.get', {
    summary: 'Returns an access key',
    description: 'The secret is not included; it is returned only when the key is created.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApplicationKey },
    missing: 'application key',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('applicationKeyId') id: string,
  ): Promise<StoredResource<ApplicationKey>> {
    return this.keys.get(application.id, id);
  }

  @Patch()
  @Operation('applicationKey.patch', {
    summary: 'Updates an access key',
    description:
      'Omitted properties keep their value. Arrays are replaced, not merged. `null` removes the name. `deviceIds`, `deviceTags`, `key` and the secret cannot be changed. Devices cannot authenticate with an inactive key.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { applicationKey: ApplicationKeyPatch },
    example: { status: 'inactive' },
    returns: { 200: ApplicationKey },
    missing: 'application key',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('applicationKeyId') id: string,
    @Body() body: ApplicationKeyPatch,
    @By() by: Author,
  ): Promise<StoredResource<ApplicationKey>> {
    return this.keys.patch(application.id, id, body, by);
  }

  @Delete()
  @Operation('applicationKey.delete', {
    summary: 'Deletes an access key',
    description:
      'Permanently deletes the access key. Devices can no longer authenticate with it; this takes effect immediately.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'application key',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('applicationKeyId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.keys.delete(application.id, id, by);
  }
}
