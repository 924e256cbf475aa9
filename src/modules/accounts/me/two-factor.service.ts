import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Principal } from '../../../platform/access/principal.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { newTotpKey, totpUri } from '../../../lib/crypto/totp.js';
import { Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { CredentialsService, SESSION_REQUIRED, twoFactorContext } from '../auth/credentials.service.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { MeQuery } from './me.query.js';
import { MeRepository } from './me.repository.js';
import {
  type Me,
  type MultiFactorAuthDisable,
  type MultiFactorAuthEnable,
  type MultiFactorAuthInfo,
} from './me.resource.js';

const BASE32 = /^[A-Z2-7]{52}$/;

/** Two-factor authentication with time-based codes of an authenticator app (RFC 6238), in addition to the password. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly me: MeRepository,
    private readonly users: UsersRepository,
    private readonly credentials: CredentialsService,
    private readonly secrets: SecretBox,
    private readonly cache: AccessCache,
  ) {}

  /** Generates a key, which has no effect until it is confirmed with a code. */
  async generate(caller: Principal): Promise<MultiFactorAuthInfo> {
    const userId = caller.assertSession(SESSION_REQUIRED);
    const { email } = await this.stateOff(userId);
    const key = newTotpKey();
    await this.me.change(caller, { twoFactorPending: this.secrets.seal(key, twoFactorContext(userId)) });
    return { key, keyUri: totpUri({ key, issuer: 'Fieldwright', account: email }) };
  }

  async enable(
    caller: Principal,
    given: MultiFactorAuthEnable,
    query: MeQuery,
    address: string,
  ): Promise<StoredResource<Me>> {
    const userId = caller.assertSession(SESSION_REQUIRED);
    const { twoFactorPending } = await this.stateOff(userId);
    const named = given.twoFactorAuthKey;
    if (named !== undefined && !BASE32.test(named))
      throw new ValidationError('multiFactorAuthEnable.twoFactorAuthKey must be Base32');
    const sealed =
      named === undefined ? twoFactorPending : this.secrets.seal(named, twoFactorContext(userId));
    if (!sealed)
      throw new ValidationError('multiFactorAuthEnable.twoFactorAuthKey is required: no key was generated');
    await this.credentials.confirm(userId, { password: given.password }, 'multiFactorAuthEnable', address);
    const wrong = (message: string) => new ValidationError(`multiFactorAuthEnable.twoFactorCode: ${message}`);
    await this.credentials.consumeCode(userId, sealed, given.twoFactorCode, wrong);
    return this.changed(caller, { twoFactorKey: sealed, twoFactorPending: null }, query);
  }

  async disable(
    caller: Principal,
    given: MultiFactorAuthDisable,
    query: MeQuery,
    address: string,
  ): Promise<StoredResource<Me>> {
    const userId = caller.assertSession(SESSION_REQUIRED);
    const { twoFactorKey } = await this.state(userId);
    if (!twoFactorKey) throw new ValidationError('Two-factor authentication is not enabled');
    await this.credentials.confirm(userId, given, 'multiFactorAuthDisable', address);
    // Time steps are counted per key: a code of the next key must not be mistaken for a used code of this one.
    return this.changed(caller, { twoFactorKey: null, twoFactorPending: null, twoFactorStep: 0 }, query);
  }

  /** Changes the user's access to organizations that require two-factor authentication, immediately. */
  private async changed(
    caller: Principal,
    changes: Changes<User>,
    query: MeQuery,
  ): Promise<StoredResource<Me>> {
    const me = await this.me.change(caller, changes, query);
    await this.cache.evict(caller.userId);
    return me;
  }

  private async stateOff(userId: string): Promise<User> {
    const state = await this.state(userId);
    if (state.twoFactorKey)
      throw new ValidationError('Two-factor authentication is already enabled; disable it first');
    return state;
  }

  private async state(userId: string): Promise<User> {
    const user = await this.users.find({ id: userId });
    if (!user) throw new Unauthorized();
    return user;
  }
}
