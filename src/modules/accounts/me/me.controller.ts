import { Body, Controller, Get, Ip, Patch, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_ACCOUNT, USER_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
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
    summary: 'Returns you',
    description: 'The user whom the token acts for.',
    scopes: USER_READ,
    returns: { 200: Me },
  })
  get(@Caller() caller: Principal, @Query() query: MeQuery): Promise<Stored<Me>> {
    return this.me.get(caller, query);
  }

  @Patch()
  @Operation('me.patch', {
    summary: 'Changes you',
    description:
      'What is absent stays as it is. A new `email` or `password` needs `currentCredentials`, and the address that you had is told of it; a new address counts as not verified. `tokenCutoff` moves forwards only, up to now. An API token changes none of these three: 403.',
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
  ): Promise<Stored<Me>> {
    return this.me.patch(caller, body, query, address);
  }

  @Get('refreshToken')
  @Operation('me.refreshToken', {
    summary: 'Returns a fresh sign-in token',
    description:
      'Of the same scopes and the same lifetime, counted from now. API tokens cannot be refreshed: 403.',
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
      'Answers a fresh token of the same scopes. With `invalidateExistingTokens` every sign-in token from before ends at once; API tokens stay. An API token cannot do this: 403.',
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
    summary: 'Deletes you',
    description:
      'With your address, your password and, where it is on, your second factor. At once you cannot sign in, your tokens and those of the applications in your sandbox are void, and your address is free. All that you have is removed for good after 30 days; until then those who run the instance can take the deletion back. The last admin of an organization or instance has to make somebody else one first. API tokens cannot do this: 403.',
    scopes: USER_ACCOUNT,
    body: { credentials: UserCredentials },
    example: { email: 'ada@example.com', password: 'Correct-Horse-7' },
    returns: { 200: Success },
  })
  delete(@Body() body: UserCredentials, @By() by: Author, @Ip() address: string): Promise<Success> {
    return this.me.delete(body, by, address);
  }

  // The second is how published clients know it.
  @Patch(['disconnectCodehost', 'disconnectGithub'])
  @Operation('me.disconnectGithub', {
    summary: 'Takes the link to the code-hosting provider back',
    description: 'Your account there no longer signs you in here. An API token cannot do this: 403.',
    scopes: USER_ACCOUNT,
    returns: { 200: Me },
  })
  disconnectCodehost(@Caller() caller: Principal, @Query() query: MeQuery): Promise<Stored<Me>> {
    return this.me.disconnectCodehost(caller, query);
  }

  @Patch('generateTwoFactorAuth')
  @Operation('me.generateTwoFactorAuth', {
    summary: 'Hands out a key for a second factor',
    description:
      'For an authenticator, as text and as a URI. Nothing changes until it is confirmed with `enableTwoFactorAuth`. An API token cannot do this: 403.',
    scopes: USER_ACCOUNT,
    returns: { 200: MultiFactorAuthInfo },
  })
  generateTwoFactorAuth(@Caller() caller: Principal): Promise<MultiFactorAuthInfo> {
    return this.twoFactor.generate(caller);
  }

  @Patch('enableTwoFactorAuth')
  @Operation('me.enableTwoFactorAuth', {
    summary: 'Turns your second factor on',
    description:
      'With your password and a code made with the key that was handed out. Signing in needs a code from then on. An API token cannot do this: 403.',
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
  ): Promise<Stored<Me>> {
    return this.twoFactor.enable(caller, body, query, address);
  }

  @Patch('disableTwoFactorAuth')
  @Operation('me.disableTwoFactorAuth', {
    summary: 'Turns your second factor off',
    description: 'With your password and a present code. An API token cannot do this: 403.',
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
  ): Promise<Stored<Me>> {
    return this.twoFactor.disable(caller, body, query, address);
  }
}
