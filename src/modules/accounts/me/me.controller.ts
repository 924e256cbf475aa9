import { Body, Controller, Get, Ip, Patch, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_ACCOUNT, USER_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { AuthedUser, UserCredentials } from '../auth/auth.resource.js';
import {
  ChangePassword,
  Me,
  MePatch,
  MultiFactorAuthDisable,
  MultiFactorAuthEnable,
  MultiFactorAuthInfo,
} from './me.resource.js';
import { MeService } from './me.service.js';
import { TwoFactorService } from './two-factor.service.js';
import { MeQuery } from './me.query.js';

@Controller('me')
export class MeController {
  constructor(
    private readonly me: MeService,
    private readonly twoFactor: TwoFactorService,
  ) {}

  @Get()
  @Operation('me.get', {
    summary: 'Returns the current user',
    description: 'Returns the user that the token acts for.',
    scopes: USER_READ,
    returns: { 200: Me },
  })
  get(@Caller() caller: Principal, @Query() query: MeQuery): Promise<StoredResource<Me>> {
    return this.me.get(caller, query);
  }

  @Patch()
  @Operation('me.patch', {
    summary: 'Updates the current user',
    description:
      'Omitted properties keep their value. Changing `email` or `password` requires `currentCredentials`, and the previous address is notified. A new address is unverified. `tokenCutoff` can only be moved forward, up to the current time. With an API token, changing any of these three properties returns `403`.',
    scopes: USER_ACCOUNT,
    body: { me: MePatch },
    example: { firstName: 'Ada', lastName: 'Lovelace' },
    returns: { 200: Me },
  })
  patch(
    @Caller() caller: Principal,
    @Body() body: MePatch,
    @Query() query: MeQuery,
    @Ip() address: string,
  ): Promise<StoredResource<Me>> {
    return this.me.patch(caller, body, query, address);
  }

  @Get('refreshToken')
  @Operation('me.refreshToken', {
    summary: 'Returns a new session token',
    description:
      'The new token has the same scopes and lifetime, starting now. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    returns: { 200: AuthedUser },
  })
  refreshToken(@Caller() caller: Principal): Promise<AuthedUser> {
    return this.me.refreshToken(caller);
  }

  @Patch('changePassword')
  @Operation('me.changePassword', {
    summary: 'Changes your password',
    description:
      'Returns a new token with the same scopes. With `invalidateExistingTokens`, all earlier session tokens are revoked immediately; API tokens remain valid. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    body: { changePassword: ChangePassword },
    example: { password: 'Correct-Horse-7', newPassword: 'Battery-Staple-9' },
    returns: { 200: AuthedUser },
  })
  changePassword(
    @Caller() caller: Principal,
    @Body() body: ChangePassword,
    @Ip() address: string,
  ): Promise<AuthedUser> {
    return this.me.changePassword(caller, body, address);
  }

  @Post('delete')
  @Operation('me.delete', {
    summary: 'Deletes your account',
    description:
      'Requires your email address, your password and, if enabled, a two-factor code. You can no longer sign in, your tokens and those of the applications in your sandbox are rejected, and your email address becomes available. Takes effect immediately. Your data is permanently removed after 30 days; until then, admins of the instance can restore your account. The last admin of an organization or instance must first appoint another one. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    body: { credentials: UserCredentials },
    example: { email: 'ada@example.com', password: 'Correct-Horse-7' },
    returns: { 200: Success },
  })
  delete(@Body() body: UserCredentials, @By() by: Author, @Ip() address: string): Promise<Success> {
    return this.me.delete(body, by, address);
  }

  // Published clients use the second path.
  @Patch(['disconnectCodehost', 'disconnectGithub'])
  @Operation('me.disconnectGithub', {
    summary: 'Unlinks your code-hosting account',
    description:
      'Your account at the provider can no longer be used to sign in. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    returns: { 200: Me },
  })
  disconnectCodehost(@Caller() caller: Principal, @Query() query: MeQuery): Promise<StoredResource<Me>> {
    return this.me.disconnectCodehost(caller, query);
  }

  @Patch('generateTwoFactorAuth')
  @Operation('me.generateTwoFactorAuth', {
    summary: 'Generates a two-factor authentication key',
    description:
      'Returns a key for an authenticator app, as text and as a URI. It has no effect until it is confirmed with `enableTwoFactorAuth`. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    returns: { 200: MultiFactorAuthInfo },
  })
  generateTwoFactorAuth(@Caller() caller: Principal): Promise<MultiFactorAuthInfo> {
    return this.twoFactor.generate(caller);
  }

  @Patch('enableTwoFactorAuth')
  @Operation('me.enableTwoFactorAuth', {
    summary: 'Enables two-factor authentication',
    description:
      'Requires your password and a code generated with the new key. From then on, signing in requires a code. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    body: { multiFactorAuthEnable: MultiFactorAuthEnable },
    example: { password: 'Correct-Horse-7', twoFactorCode: '123456' },
    returns: { 200: Me },
  })
  enableTwoFactorAuth(
    @Caller() caller: Principal,
    @Body() body: MultiFactorAuthEnable,
    @Query() query: MeQuery,
    @Ip() address: string,
  ): Promise<StoredResource<Me>> {
    return this.twoFactor.enable(caller, body, query, address);
  }

  @Patch('disableTwoFactorAuth')
  @Operation('me.disableTwoFactorAuth', {
    summary: 'Disables two-factor authentication',
    description: 'Requires your password and a current code. With an API token, returns `403`.',
    scopes: USER_ACCOUNT,
    body: { multiFactorAuthDisable: MultiFactorAuthDisable },
    example: { password: 'Correct-Horse-7', twoFactorCode: '123456' },
    returns: { 200: Me },
  })
  disableTwoFactorAuth(
    @Caller() caller: Principal,
    @Body() body: MultiFactorAuthDisable,
    @Query() query: MeQuery,
    @Ip() address: string,
  ): Promise<StoredResource<Me>> {
    return this.twoFactor.disable(caller, body, query, address);
  }
}
