import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../platform/access/access-cache.js';
import type { Principal } from '../../platform/access/principal.js';
import { SecretBox } from '../../platform/crypto/secrets.js';
import { newTotpKey, totpUri } from '../../platform/crypto/totp.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { Unauthorized, ValidationError } from '../../platform/errors/errors.js';
import type { Stored } from '../../platform/response/answers.js';
import { CredentialsService, twoFactorContext } from '../auth/credentials.service.js';
import type { User } from '../users/user.entity.js';
import type { MeQuery } from './me.query.js';
import { MeRepository } from './me.repository.js';
import {
  type Me,
  type MultiFactorAuthDisable,
  type MultiFactorAuthEnable,
  type MultiFactorAuthInfo,
} from './me.resource.js';

const STATE =
  'SELECT email, two_factor_key, two_factor_pending FROM users WHERE id = $1 AND permanent_deletion IS NULL';
const BASE32 = /^[A-Z2-7]{52}$/;

/** A second factor beside the password: time-based codes of an authenticator (RFC 6238). */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly users: MeRepository,
    private readonly credentials: CredentialsService,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly cache: AccessCache,
  ) {}

  /** Hands out a key. It counts for nothing until it is confirmed with a code. */
  async generate(caller: Principal): Promise<MultiFactorAuthInfo> {
    const { userId } = caller;
    const { email } = await this.stateOff(userId);
    const key = newTotpKey();
    await this.users.change(caller, { twoFactorPending: this.secrets.seal(key, twoFactorContext(userId)) });
    return { key, keyUri: totpUri({ key, issuer: 'Fieldwright', account: email }) };
  }

  async enable(
    caller: Principal,
    given: MultiFactorAuthEnable,
    query: MeQuery,
    address: string,
  ): Promise<Stored<Me>> {
    const { userId } = caller;
    const { pending } = await this.stateOff(userId);
    const named = given.twoFactorAuthKey;
    if (named !== undefined && !BASE32.test(named))
      throw new ValidationError('multiFactorAuthEnable.twoFactorAuthKey must be base32');
    const sealed = named === undefined ? pending : this.secrets.seal(named, twoFactorContext(userId));
    if (!sealed)
      throw new ValidationError('multiFactorAuthEnable.twoFactorAuthKey is required: no key was handed out');
    await this.credentials.confirm(userId, { password: given.password }, 'multiFactorAuthEnable', address);
    const wrong = (message: string) => new ValidationError(`multiFactorAuthEnable.twoFactorCode: ${message}`);
    await this.credentials.takeCode(userId, sealed, given.twoFactorCode, wrong);
    return this.changed(caller, { twoFactorKey: sealed, twoFactorPending: null }, query);
  }

  async disable(
    caller: Principal,
    given: MultiFactorAuthDisable,
    query: MeQuery,
    address: string,
  ): Promise<Stored<Me>> {
    const { userId } = caller;
    const { key } = await this.state(userId);
    if (!key) throw new ValidationError('The second factor is not on');
    await this.credentials.confirm(userId, given, 'multiFactorAuthDisable', address);
    // Steps count for one key: a code of the next one must not be taken for a code of this one that was used.
    return this.changed(caller, { twoFactorKey: null, twoFactorPending: null, twoFactorStep: 0 }, query);
  }

  /** What organizations ask for a second factor let the user do changes at once. */
  private async changed(caller: Principal, changes: Partial<User>, query: MeQuery): Promise<Stored<Me>> {
    const me = await this.users.change(caller, changes, query);
    await this.cache.drop(caller.userId);
    return me;
  }

  private async stateOff(userId: string) {
    const state = await this.state(userId);
    if (state.key) throw new ValidationError('The second factor is on already; turn it off first');
    return state;
  }

  private async state(
    userId: string,
  ): Promise<{ email: string; key: string | null; pending: string | null }> {
    const [row] = await this.database.run(prepared(STATE, [userId]));
    if (!row) throw new Unauthorized();
    return { email: row[0]!, key: row[1] ?? null, pending: row[2] ?? null };
  }
}
