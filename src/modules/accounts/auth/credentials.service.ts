import { Injectable, Logger } from '@nestjs/common';
import { parseAddress } from '../../../lib/mail/addresses.js';
import { accountPasswords } from '../../../lib/crypto/passwords.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { verifyTotp } from '../../../lib/crypto/totp.js';
import { Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import { networkOf } from '../../../platform/throttle/network.js';
import { UsersRepository, type SignedIn } from '../users/users.repository.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** Error message for operations that require a session token, regardless of the scopes of an API token. */
export const SESSION_REQUIRED = 'An API token cannot change how its user signs in';
const WRONG_CREDENTIALS = 'Email address or password is wrong';

/** Returns the encryption context that binds a second-factor key to its user. */
export const twoFactorContext = (userId: string): string => `users:two_factor_key:${userId}`;

/** Verifies a user's password and, if enabled, second factor. */
@Injectable()
export class CredentialsService {
  private readonly logger = new Logger(CredentialsService.name);

  constructor(
    private readonly users: UsersRepository,
    private readonly secrets: SecretBox,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * Signs in the user with these credentials. Throws `Unauthorized` after a constant amount of work, regardless of the
   * cause.
   */
  async signIn(
    credentials: { email: string; password: string; twoFactorCode?: string },
    address: string,
  ): Promise<SignedIn> {
    const email = parseAddress(credentials.email, 'credentials.email');
    return this.throttle.attempt({ account: email, address }, async () => {
      try {
        return await this.identify({ ...credentials, email }, networkOf(address));
      } catch (error) {
        if (error instanceof Unauthorized) this.recordFailure(email);
        throw error;
      }
    });
  }

  private async identify(
    given: { email: string; password: string; twoFactorCode?: string },
    network: string,
  ): Promise<SignedIn> {
    const user = await this.users.identity('email', given.email);
    const passwordHash = user?.passwordHash ?? undefined;
    const matches = await accountPasswords.matches(network, passwordHash, given.password);
    if (!matches || !user || passwordHash === undefined) throw new Unauthorized(WRONG_CREDENTIALS);
    const { id, twoFactorKey: key } = user;
    if (key) await this.consumeCode(id, key, given.twoFactorCode, (message) => new Unauthorized(message));
    const signedIn = await this.users.signIn(id, passwordHash);
    if (!signedIn) throw new Unauthorized(WRONG_CREDENTIALS);
    return signedIn;
  }

  /** Not awaited: writing a row takes longer than writing none, which would reveal whether an account exists. */
  private recordFailure(email: string): void {
    this.users
      .recordFailedSignIn(email)
      .catch((error: Error) => this.logger.warn(`Could not record a failed sign-in: ${error.message}`));
  }

  /**
   * Requires a signed-in user to confirm their password and, if enabled, second factor. Throws 400 naming the wrong
   * property of `at`. Failures are counted separately from failed sign-ins, which any client can cause.
   */
  async confirm(
    userId: string,
    given: { password: string; twoFactorCode?: string },
    at: string,
    address: string,
  ): Promise<void> {
    const user = await this.users.identity('id', userId);
    if (!user) throw new Unauthorized();
    const { email, passwordHash, twoFactorKey: key } = user;
    await this.throttle.attempt({ account: email, address, inPerson: true }, async () => {
      const stored = passwordHash ?? undefined;
      if (!(await accountPasswords.matches(networkOf(address), stored, given.password)))
        throw new ValidationError(`${at}.password is not your password`);
      if (key)
        await this.consumeCode(
          userId,
          key,
          given.twoFactorCode,
          (message) => new ValidationError(`${at}.twoFactorCode: ${message}`),
        );
    });
  }

  /** Verifies a code against the encrypted key. Each code is accepted once. */
  async consumeCode(
    userId: string,
    sealed: string,
    code: string | undefined,
    error: (message: string) => Error,
  ): Promise<void> {
    if (code === undefined) throw error('A two-factor authentication code is required');
    await this.throttle.withCode(userId, async () => {
      const step = verifyTotp(this.secrets.open(sealed, twoFactorContext(userId)), code);
      if (step === undefined || !(await this.users.consumeStep(userId, step)))
        throw error('The two-factor authentication code is wrong');
    });
  }
}
