import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import type { Author } from '../../../platform/audit/author.js';
import { parseAddress, domainOf } from '../../../lib/mail/addresses.js';
import { accountPasswords } from '../../../lib/crypto/passwords.js';
import { networkOf } from '../../../platform/throttle/network.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { issuedAtMs } from '../../../platform/access/token-signer.js';
import { meSummary } from '../../../platform/counts/summaries.js';
import type { AuthedUser, UserCredentials } from '../auth/auth.resource.js';
import { AuthService } from '../auth/auth.service.js';
import { CredentialsService, SESSION_REQUIRED } from '../auth/credentials.service.js';
import { SsoDomainsRepository } from '../auth/sso-domains.repository.js';
import { AccountDeletionService } from '../users/account-deletion.service.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import type { MeQuery } from './me.query.js';
import { MeRepository } from './me.repository.js';
import type { ChangePassword, Me, MePatch } from './me.resource.js';

/** The current user, and the changes they make to themselves. */
@Injectable()
export class MeService {
  constructor(
    private readonly me: MeRepository,
    private readonly users: UsersRepository,
    private readonly ssoDomains: SsoDomainsRepository,
    private readonly auth: AuthService,
    private readonly credentials: CredentialsService,
    private readonly database: Database,
    private readonly mail: MailService,
    private readonly cache: AccessCache,
    private readonly accounts: AccountDeletionService,
  ) {}

  get(caller: Principal, query: MeQuery): Promise<StoredResource<Me>> {
    return this.me.obtain(caller, query);
  }

  /**
   * Changes of the e-mail address or password require the current credentials, and the previous address is notified.
   */
  async patch(
    caller: Principal,
    patch: MePatch,
    query: MeQuery,
    address: string,
  ): Promise<StoredResource<Me>> {
    const { userId } = caller;
    const { password, currentCredentials, email: wanted, ...given } = patch;
    // Rejects unknown summary fields before anything is written.
    meSummary.choose(query);
    const email = wanted === undefined ? undefined : parseAddress(wanted, 'me.email');
    if (password ?? email ?? given.tokenCutoff) caller.assertSession(SESSION_REQUIRED);
    if (password ?? email) {
      if (!currentCredentials)
        throw new ValidationError('me.currentCredentials is required to change email or password');
      await this.credentials.confirm(userId, currentCredentials, 'me.currentCredentials', address);
    }
    const passwordHash = password && (await accountPasswords.hash(networkOf(address), password));
    await this.database.transaction(async (transaction) => {
      const before = await this.view(userId, transaction);
      if (given.tokenCutoff)
        await this.assertCutoffIncreases(before, new Date(given.tokenCutoff), transaction);
      const moves = email !== undefined && email !== before.email;
      if (moves) await this.assertNotSsoDomain(transaction, email);
      const changes = {
        ...given,
        ...(moves ? { email, emailVerified: false } : {}),
        ...(passwordHash ? { passwordHash, passwordLastUpdated: new Date() } : {}),
      };
      await this.users.set(userId, changes, transaction, { users_email: 'me.email is not available' });
      if (moves)
        await this.sendNotice(
          transaction,
          before.email,
          `the email address of your account was changed to ${email}`,
        );
      if (passwordHash)
        await this.sendNotice(transaction, before.email, 'the password of your account was changed');
    });
    await this.cache.evict(userId);
    return this.me.obtain(caller, query);
  }

  async changePassword(caller: Principal, change: ChangePassword, address: string): Promise<AuthedUser> {
    const userId = caller.assertSession(SESSION_REQUIRED);
    await this.credentials.confirm(userId, change, 'changePassword', address);
    const passwordHash = await accountPasswords.hash(networkOf(address), change.newPassword);
    const endsSessions = change.invalidateExistingTokens ?? false;
    const signedIn = await this.database.transaction(async (transaction) => {
      const { email } = await this.view(userId, transaction);
      await this.sendNotice(transaction, email, 'the password of your account was changed');
      return this.users.setPassword(userId, passwordHash, endsSessions, transaction);
    });
    await this.cache.evict(userId);
    return this.auth.tokenFor(signedIn, { requestedScopes: [...caller.scopes], tokenTTL: change.tokenTTL });
  }

  /** Deletes the user's account. Admins of the instance can restore it. */
  async delete(given: UserCredentials, by: Author, address: string): Promise<Success> {
    const { caller } = by;
    const { userId } = caller;
    caller.assertSession('An API token cannot delete the account');
    if (parseAddress(given.email, 'credentials.email') !== caller.name)
      throw new ValidationError('credentials.email is not your address');
    await this.credentials.confirm(userId, given, 'credentials', address);
    await this.accounts.delete({ userId, fieldPrefix: 'credentials.email' }, by);
    return new Success();
  }

  /** Unlinks the account at the code-hosting provider, which can then no longer be used to sign in. */
  disconnectCodehost(caller: Principal, query: MeQuery): Promise<StoredResource<Me>> {
    caller.assertSession(SESSION_REQUIRED);
    return this.me.change(caller, { codehostId: null, githubName: null }, query);
  }

  /** Returns a new token with the same scopes and the original lifetime of the current one. */
  async refreshToken(caller: Principal): Promise<AuthedUser> {
    const { userId, scopes, issuedAt, expiresAt } = caller;
    caller.assertSession('An API token cannot be refreshed');
    const tokenTTL = expiresAt === undefined ? 0 : Math.max(1, Math.round(expiresAt - issuedAt));
    const signedIn = await this.users.refresh(userId, new Date(issuedAtMs({ iat: issuedAt })));
    if (!signedIn) throw new Unauthorized();
    return this.auth.tokenFor(signedIn, { requestedScopes: [...scopes], tokenTTL });
  }

  /** Revoked tokens must remain revoked. The user is locked, and the clock is that which issues tokens. */
  private async assertCutoffIncreases(
    { tokenCutoff }: User,
    wanted: Date,
    transaction: Transaction,
  ): Promise<void> {
    if (tokenCutoff && wanted < tokenCutoff)
      throw new ValidationError('me.tokenCutoff must not be before its current value');
    if (wanted > (await this.users.clock(transaction)))
      throw new ValidationError('me.tokenCutoff must not be in the future');
  }

  /** In a domain with single sign-on, only the identity provider can assign addresses. */
  private async assertNotSsoDomain(transaction: Transaction, email: string): Promise<void> {
    if (await this.ssoDomains.has(domainOf(email), transaction))
      throw new ValidationError('me.email is not available');
  }

  private async view(userId: string, transaction: Transaction): Promise<User> {
    const user = await this.users.lock({ id: userId }, transaction);
    if (!user) throw new Unauthorized();
    return user;
  }

  private async sendNotice(transaction: Transaction, to: string, what: string): Promise<void> {
    const text = `Hello,\n\nPlease note that ${what}.\n\nIf you did not make this change, contact the operator of this platform immediately.\n`;
    await this.mail.send(transaction, { to, subject: 'Your account was changed', text });
  }
}
