import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
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
    summary: 'Lists the API tokens of an application',
    description: 'Does not include the tokens themselves, which are returned only on creation.',
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
    summary: 'Creates an API token for an application',
    description:
      "Creates a token that acts for the application. It has access to this application only, independently of the user who created it. The token itself is returned only in this response. `scope` accepts scopes of applications, which those of the calling token must cover; it defaults to `all.Application`. The token is capped to your current role on the application. `defaultRole` can lower the cap but not exceed your role. `orgRoles` is not supported. A token created by an API token expires with it at the latest. The owner's limit `apitoken` applies to each application.",
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
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.create(ownerOf(application), body, by);
  }

  @Get(':apiTokenId')
  @Operation('applicationApiToken.get', {
    summary: 'Returns an API token of an application',
    description: 'Does not include the token itself, which is returned only on creation.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('apiTokenId') id: string,
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.get(ownerOf(application), id);
  }

  @Patch(':apiTokenId')
  @Operation('applicationApiToken.patch', {
    summary: 'Updates an API token of an application',
    description:
      'Updates the name, description, status or `defaultRole`, which must not exceed your own role. The scopes and the expiration date cannot be changed. Takes effect immediately: requests with an inactive token are rejected.',
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
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.patch(ownerOf(application), id, body, by);
  }

  @Delete(':apiTokenId')
  @Operation('applicationApiToken.delete', {
    summary: 'Deletes an API token of an application',
    description: 'Permanently deletes the token. Requests with it are rejected immediately.',
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
