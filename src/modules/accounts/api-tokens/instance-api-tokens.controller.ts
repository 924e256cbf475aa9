import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ApiToken, ApiTokenPatch, ApiTokenPost, ApiTokens } from './api-token.resource.js';
import { ApiTokensQuery } from './api-tokens.query.js';
import { ApiTokensService } from './api-tokens.service.js';

@Controller('instances/:instanceId/tokens')
export class InstanceApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  @Operation('instanceApiTokens.get', {
    summary: 'Lists the API tokens of an instance',
    description: 'Does not include the tokens themselves, which are returned only on creation.',
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
    summary: 'Creates an API token for an instance',
    description:
      "Creates a token that acts for the instance. It has access to the instance and its organizations, but not to their contents, such as applications. The token itself is returned only in this response. `scope` accepts scopes of instances, which those of the calling token must cover; it defaults to `all.Instance`. `defaultRole` caps the role of the token: `admin` (default), `view` or `none`; `collaborate` and `edit` are equivalent to `view`. `orgRoles` is not supported, and a calling token that has `orgRoles` is rejected. A token created by an API token expires with it at the latest. The instance's limit `instanceApiToken` applies.",
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { apiToken: ApiTokenPost },
    example: { name: 'Nightly report', scope: ['all.Instance.read'], defaultRole: 'view' },
    returns: { 201: ApiToken },
    missing: 'instance',
  })
  create(
    @Param('instanceId') instanceId: string,
    @Body() body: ApiTokenPost,
    @By() by: Author,
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.create({ type: 'instance', id: instanceId }, body, by);
  }

  @Get(':apiTokenId')
  @Operation('instanceApiToken.get', {
    summary: 'Returns an API token of an instance',
    description: 'Does not include the token itself, which is returned only on creation.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: ApiToken },
    missing: 'API token',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('apiTokenId') id: string,
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.get({ type: 'instance', id: instanceId }, id);
  }

  @Patch(':apiTokenId')
  @Operation('instanceApiToken.patch', {
    summary: 'Updates an API token of an instance',
    description:
      'Updates the name, description, status or `defaultRole`. The scopes and the expiration date cannot be changed. Takes effect immediately: requests with an inactive token are rejected. A calling token that has `orgRoles` is rejected.',
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
  ): Promise<StoredResource<ApiToken>> {
    return this.tokens.patch({ type: 'instance', id: instanceId }, id, body, by);
  }

  @Delete(':apiTokenId')
  @Operation('instanceApiToken.delete', {
    summary: 'Deletes an API token of an instance',
    description: 'Permanently deletes the token. Requests with it are rejected immediately.',
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
