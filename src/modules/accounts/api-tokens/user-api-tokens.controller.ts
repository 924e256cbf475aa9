import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_ACCOUNT, USER_CREATE, USER_LIST, USER_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApiToken, ApiTokenPatch, ApiTokenPost, ApiTokens } from './api-token.resource.js';
import type { TokenOwner } from './api-token.rules.js';
import { ApiTokensQuery } from './api-tokens.query.js';
import { ApiTokensService } from './api-tokens.service.js';

@Controller('me/tokens')
export class UserApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @Operation('userApiTokens.get', {
    summary: 'Lists your API tokens',
    description: 'Does not include the tokens themselves, which are returned only on creation.',
    scopes: USER_LIST,
    returns: { 200: ApiTokens },
  })
  list(@Caller() caller: Principal, @Query() { list }: ApiTokensQuery): Promise<StoredPage<ApiToken>> {
    return this.tokens.list(ownerOf(caller), list);
  }

  @Post()
  @Operation('userApiTokens.post', {
    summary: 'Creates an API token for yourself',
    description:
      'Creates a token that acts for you. The token itself is returned only in this response. The scopes of the calling token must cover the requested scopes. A token created by an API token expires with it at the latest and inherits its role cap.',
    scopes: USER_CREATE,
    body: { apiToken: ApiTokenPost },
    example: { name: 'Nightly report', scope: ['all.User.read'] },
    returns: { 201: ApiToken },
  })
  create(@Body() body: ApiTokenPost, @By() by: Author): Promise<StoredResource<ApiToken>> {
    return this.tokens.create(ownerOf(by.caller), body, by);
  }

  @Get(':apiTokenId')
  @Operation('userApiToken.get', {
    summary: 'Returns one of your API tokens',
    description: 'Does not include the token itself, which is returned only on creation.',
    scopes: USER_READ,
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  get(@Caller() caller: Principal, @Param('apiTokenId') id: string): Promise<StoredResource<ApiToken>> {
    return this.tokens.get(ownerOf(caller), id);
  }

  @Patch(':apiTokenId')
  @Operation('userApiToken.patch', {
    summary: 'Updates one of your API tokens',
    description:
      'Updates the name, description, status or roles. The scopes and the expiration date cannot be changed. Takes effect immediately: requests with an inactive token are rejected.',
    scopes: USER_ACCOUNT,
    body: { apiToken: ApiTokenPatch },
    example: { status: 'inactive' },
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  patch(
    @Param('apiTokenId') id: string,
    @Body() body: ApiTokenPatch,
    @By() by: Author,
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.patch(ownerOf(by.caller), id, body, by);
  }

  @Delete(':apiTokenId')
  @Operation('userApiToken.delete', {
    summary: 'Deletes one of your API tokens',
    description: 'Permanently deletes the token. Requests with it are rejected immediately.',
    scopes: USER_ACCOUNT,
    returns: { 200: Success },
    missing: 'API token',
  })
  delete(@Param('apiTokenId') id: string, @By() by: Author): Promise<Success> {
    return this.tokens.delete(ownerOf(by.caller), id, by);
  }
}

const ownerOf = ({ userId }: Principal): TokenOwner => ({ type: 'user', id: userId });
