import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApiToken, ApiTokenPatch, ApiTokenPost, ApiTokens } from './api-token.resource.js';
import { ApiTokensQuery } from './api-tokens.query.js';
import { ApiTokensService } from './api-tokens.service.js';

@Controller('instances/:instanceId/tokens')
export class InstanceApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @Operation('instanceApiTokens.get', {
    summary: 'Returns the API tokens of an instance',
    description:
      'Without the tokens themselves, which are shown only once. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: ApiTokens },
    missing: 'instance',
  })
  list(
    @Param('instanceId') instanceId: string,
    @Query() { list }: ApiTokensQuery,
  ): Promise<StoredPage<ApiToken>> {
    return this.tokens.list({ type: 'instance', id: instanceId }, list);
  }

  @Post()
  @Operation('instanceApiTokens.post', {
    summary: 'Creates an API token of an instance',
    description:
      'The token acts for the instance: it reaches this one and its organizations, but nothing below them such as applications. The answer is the only place where it is shown. Its scopes are those of instances, without `scope` all of them (`all.Instance`), and must be covered by those of the token that asks. `defaultRole` caps what it may do: `admin`, as without it, `view`, `none`; `collaborate` and `edit` are the same as `view` here. `orgRoles` is for tokens of users, and a token that has them makes none for an instance. Made by an API token, it ends with that one at the latest. The limit `instanceApiToken` of the instance counts them. Needs the role `admin` in the instance.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { apiToken: ApiTokenPost },
    example: { name: 'Usage report', scope: ['all.Instance.read'], defaultRole: 'view' },
    returns: { 201: ApiToken },
    missing: 'instance',
  })
  create(
    @Param('instanceId') instanceId: string,
    @Body() body: ApiTokenPost,
    @By() by: Author,
  ): Promise<Stored<ApiToken>> {
    return this.tokens.create({ type: 'instance', id: instanceId }, body, by);
  }

  @Get(':apiTokenId')
  @Operation('instanceApiToken.get', {
    summary: 'Returns an API token of an instance',
    description: 'Without the token itself. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  get(@Param('instanceId') instanceId: string, @Param('apiTokenId') id: string): Promise<Stored<ApiToken>> {
    return this.tokens.get({ type: 'instance', id: instanceId }, id);
  }

  @Patch(':apiTokenId')
  @Operation('instanceApiToken.patch', {
    summary: 'Changes an API token of an instance',
    description:
      'Name, description, status and `defaultRole`; scope and expiry are fixed. The change holds from the next request on: a token that is made inactive is refused. A token with `orgRoles` changes none. Needs the role `admin` in the instance.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { apiToken: ApiTokenPatch },
    example: { status: 'inactive' },
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  patch(
    @Param('instanceId') instanceId: string,
    @Param('apiTokenId') id: string,
    @Body() body: ApiTokenPatch,
    @By() by: Author,
  ): Promise<Stored<ApiToken>> {
    return this.tokens.patch({ type: 'instance', id: instanceId }, id, body, by);
  }

  @Delete(':apiTokenId')
  @Operation('instanceApiToken.delete', {
    summary: 'Deletes an API token of an instance',
    description:
      'It is refused from the next request on, and gone for good. Needs the role `admin` in the instance.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'API token',
  })
  delete(
    @Param('instanceId') instanceId: string,
    @Param('apiTokenId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.tokens.delete({ type: 'instance', id: instanceId }, id, by);
  }
}
