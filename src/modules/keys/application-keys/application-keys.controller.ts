import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import {
  ApplicationKey,
  ApplicationKeyPost,
  ApplicationKeyPostResponse,
  ApplicationKeys,
} from './application-key.resource.js';
import { ApplicationKeysService } from './application-keys.service.js';
import { ApplicationKeysQuery } from './application-keys.query.js';

@Controller('applications/:applicationId/keys')
export class ApplicationKeysController {
  constructor(private readonly keys: ApplicationKeysService) {}

  @Get()
  @Operation('applicationKeys.get', {
    summary: 'Lists the access keys of an application',
    description:
      'Secrets are not included. In an advanced query, `deviceIds`, `deviceTags`, `pubTopics`, `subTopics` and `addresses` match keys whose list contains the value.',
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: ApplicationKeys },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: ApplicationKeysQuery,
  ): Promise<StoredPage<ApplicationKey>> {
    return this.keys.list(application, list);
  }

  @Post()
  @Operation('applicationKeys.post', {
    summary: 'Creates an access key',
    description:
      "Creates a key pair, `key` and `secret`, with which devices authenticate. The secret is returned only in this response; if it is lost, create another key. `deviceIds` and `deviceTags` restrict the key to certain devices and cannot be changed later. If both are omitted, all devices of the application can use the key. By default, a key can be used from any address and only for a device's own topics. The owner's limit `applicationkey` applies to the keys of each application.",
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { applicationKey: ApplicationKeyPost },
    example: { name: 'Pumps', deviceTags: [{ key: 'site', value: 'north' }] },
    returns: { 201: ApplicationKeyPostResponse },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationKeyPost,
    @By() by: Author,
  ): Promise<StoredResource<ApplicationKeyPostResponse>> {
    return this.keys.create(application, body, by);
  }
}
