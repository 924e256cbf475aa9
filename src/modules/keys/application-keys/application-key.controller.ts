import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApplicationKey, ApplicationKeyPatch } from './application-key.resource.js';
import { ApplicationKeysService } from './application-keys.service.js';

@Controller('applications/:applicationId/keys/:applicationKeyId')
export class ApplicationKeyController {
  constructor(private readonly keys: ApplicationKeysService) {}

  @Get()
  @Operation('applicationKey.get', {
    summary: 'Returns an access key',
    description: 'Without its secret. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApplicationKey },
    missing: 'application key',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('applicationKeyId') id: string,
  ): Promise<Stored<ApplicationKey>> {
    return this.keys.get(application.id, id);
  }

  @Patch()
  @Operation('applicationKey.patch', {
    summary: 'Changes an access key',
    description:
      'What is absent stays as it is, and lists are replaced whole; `null` takes the name away. Which devices may use it is fixed, and so are key and secret. An inactive key signs nobody in. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ApplicationKey>> {
    return this.keys.patch(application.id, id, body, by);
  }

  @Delete()
  @Operation('applicationKey.delete', {
    summary: 'Deletes an access key',
    description:
      'It signs nobody in from then on, and is gone for good. Needs the role `collaborate` on the application.',
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
