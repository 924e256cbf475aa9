import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApiToken, ApiTokenPatch, ApiTokenPost, ApiTokens } from './api-token.resource.js';
import type { TokenOwner } from './api-token.rules.js';
import { ApiTokensQuery } from './api-tokens.query.js';
import { ApiTokensService } from './api-tokens.service.js';

@Controller('applications/:applicationId/tokens')
export class ApplicationApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @Operation('applicationApiTokens.get', {
    summary: 'Returns the API tokens of an application',
    description:
      'Without the tokens themselves, which are shown only once. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApiTokens },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: ApiTokensQuery,
  ): Promise<StoredPage<ApiToken>> {
    return this.tokens.list(ownerOf(application), list);
  }

  @Post()
  @Operation('applicationApiTokens.post', {
    summary: 'Creates an API token of an application',
    description:
      'The token acts for the application: it reaches this one and nothing else, whoever made it and whatever becomes of them. The answer is the only place where it is shown. Its scopes are those of applications, without `scope` all of them (`all.Application`), and must be covered by those of the token that asks. It does at most what your role on the application allows now; `defaultRole` makes that less, and a role above yours is refused. `orgRoles` is for tokens of users. Made by an API token, it ends with that one at the latest. The limit `apitoken` of the owner counts the tokens of each application. Needs the role `edit` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'edit',
    body: { apiToken: ApiTokenPost },
    example: { name: 'Nightly report', scope: ['all.Application.read'], defaultRole: 'view' },
    returns: { 201: ApiToken },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApiTokenPost,
    @By() by: Author,
  ): Promise<Stored<ApiToken>> {
    return this.tokens.create(ownerOf(application), body, by);
  }

  @Get(':apiTokenId')
  @Operation('applicationApiToken.get', {
    summary: 'Returns an API token of an application',
    description: 'Without the token itself. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('apiTokenId') id: string,
  ): Promise<Stored<ApiToken>> {
    return this.tokens.get(ownerOf(application), id);
  }

  @Patch(':apiTokenId')
  @Operation('applicationApiToken.patch', {
    summary: 'Changes an API token of an application',
    description:
      'Name, description, status and `defaultRole`, which must not be above your own role; scope and expiry are fixed. The change holds from the next request on: a token that is made inactive is refused. Needs the role `edit` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'edit',
    body: { apiToken: ApiTokenPatch },
    example: { status: 'inactive' },
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('apiTokenId') id: string,
    @Body() body: ApiTokenPatch,
    @By() by: Author,
  ): Promise<Stored<ApiToken>> {
    return this.tokens.patch(ownerOf(application), id, body, by);
  }

  @Delete(':apiTokenId')
  @Operation('applicationApiToken.delete', {
    summary: 'Deletes an API token of an application',
    description:
      'It is refused from the next request on, and gone for good. Needs the role `edit` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'edit',
    returns: { 200: Success },
    missing: 'API token',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('apiTokenId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.tokens.delete(ownerOf(application), id, by);
  }
}

const ownerOf = (application: ApplicationAccess): TokenOwner => ({
  type: 'application',
  id: application.id,
  application,
});
