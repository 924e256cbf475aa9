import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_ACCOUNT, USER_CREATE, USER_LIST, USER_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
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
    summary: 'Returns your API tokens',
    description: 'Without the tokens themselves, which are shown only once.',
    scopes: USER_LIST,
    returns: { 200: ApiTokens },
  })
  list(@Caller() caller: Principal, @Query() { list }: ApiTokensQuery): Promise<StoredPage<ApiToken>> {
    return this.tokens.list(ownerOf(caller), list);
  }

  @Post()
  @Operation('userApiTokens.post', {
    summary: 'Creates an API token',
    description:
      'The answer is the only place where the token is shown. Its scopes must be covered by those of the token that asks; made by an API token, it ends with that one at the latest and inherits its capped roles.',
    scopes: USER_CREATE,
    body: { apiToken: ApiTokenPost },
    example: { name: 'Nightly report', scope: ['all.User.read'] },
    returns: { 201: ApiToken },
  })
  create(@Body() body: ApiTokenPost, @By() by: Author): Promise<Stored<ApiToken>> {
    return this.tokens.create(ownerOf(by.caller), body, by);
  }

  @Get(':apiTokenId')
  @Operation('userApiToken.get', {
    summary: 'Returns an API token',
    description: 'Without the token itself.',
    scopes: USER_READ,
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  get(@Caller() caller: Principal, @Param('apiTokenId') id: string): Promise<Stored<ApiToken>> {
    return this.tokens.get(ownerOf(caller), id);
  }

  @Patch(':apiTokenId')
  @Operation('userApiToken.patch', {
    summary: 'Changes an API token',
    description:
      'Name, description, status and roles; scope and expiry are fixed. A token that is made inactive is refused from the next request on.',
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
  ): Promise<Stored<ApiToken>> {
    return this.tokens.patch(ownerOf(by.caller), id, body, by);
  }

  @Delete(':apiTokenId')
  @Operation('userApiToken.delete', {
    summary: 'Deletes an API token',
    description: 'It is refused from the next request on.',
    scopes: USER_ACCOUNT,
    returns: { 200: Success },
    missing: 'API token',
  })
  delete(@Param('apiTokenId') id: string, @By() by: Author): Promise<Success> {
    return this.tokens.delete(ownerOf(by.caller), id, by);
  }
}

const ownerOf = ({ userId }: Principal): TokenOwner => ({ type: 'user', id: userId });
