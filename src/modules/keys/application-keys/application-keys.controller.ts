import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
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
    summary: 'Returns the access keys of an application',
    description:
      'Without their secrets, which are shown only once. In an advanced query `deviceIds`, `deviceTags`, `pubTopics`, `subTopics` and `addresses` ask what a key lists. Needs the role `view` on the application.',
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
    summary: 'Creates an access key of an application',
    description:
      'Devices sign in with its `key` and `secret`. The answer is the only place where the secret is shown: whoever loses it makes another key. `deviceIds` and `deviceTags` say which devices may use the key, and are fixed from then on; where neither is given, all of the application may. Unless it is said otherwise, they may from any address, and use their own topics only. The limit `applicationkey` of the owner counts the keys of each application. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ApplicationKeyPostResponse>> {
    return this.keys.create(application, body, by);
  }
}
