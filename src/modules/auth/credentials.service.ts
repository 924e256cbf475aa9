import { Injectable, Logger } from '@nestjs/common';
import { verifyPassword } from '../../platform/crypto/passwords.js';
import { SecretBox } from '../../platform/crypto/secrets.js';
import { verifyTotp } from '../../platform/crypto/totp.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { Unauthorized, ValidationError } from '../../platform/errors/errors.js';
import { SignInThrottle } from './sign-in-throttle.js';

const USER = `SELECT id, email, CASE WHEN sso_linked THEN NULL ELSE password_hash END, two_factor_key FROM users`;
const SIGNED_IN = `UPDATE users SET last_successful_login = now(), failed_login_count = 0 WHERE id = $1`;
const FAILED = `UPDATE users SET last_failed_login = now(), failed_login_count = failed_login_count + 1
  WHERE email = $1 AND permanent_deletion IS NULL`;
const TAKE_STEP = `UPDATE users SET two_factor_step = $2 WHERE id = $1 AND two_factor_step < $2 RETURNING id`;

/** The context that seals second-factor keys to their user. */
export const twoFactorContext = (userId: string): string => `users:two_factor_key:${userId}`;

/** Checks that somebody is who they say: password, and second factor where they have one. */
@Injectable()
export class CredentialsService {
  private readonly logger = new Logger(CredentialsService.name);

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly throttle: SignInThrottle,
  ) {}

  /** The id of the user with these credentials, or `Unauthorized` at the same cost whatever is wrong. */
  async signIn(
    credentials: { email: string; password: string; twoFactorCode?: string },
    address: string,
  ): Promise<string> {
    const email = credentials.email.toLowerCase();
    return this.throttle.attempt(email, address, async () => {
      try {
        const id = await this.identify({ ...credentials, email });
        await this.database.run(prepared(SIGNED_IN, [id]));
        return id;
      } catch (error) {
        if (error instanceof Unauthorized) this.noteFailure(email);
        throw error;
      }
    });
  }

  private async identify(given: {
    email: string;
    password: string;
    twoFactorCode?: string;
  }): Promise<string> {
    const [row] = await this.database.run(
      prepared(`${USER} WHERE email = $1 AND permanent_deletion IS NULL`, [given.email]),
    );
    const [id, , hash, key] = row ?? [];
    if (!(await verifyPassword(hash ?? undefined, given.password)) || !id)
      throw new Unauthorized('E-mail address or password is wrong');
    if (key) await this.takeCode(id, key, given.twoFactorCode, (message) => new Unauthorized(message));
    return id;
  }

  /** Not waited for: a row that is written takes longer than none, which would tell who has an account. */
  private noteFailure(email: string): void {
    this.database
      .run(prepared(FAILED, [email]))
      .catch((error: Error) => this.logger.warn(`A failed sign-in was not noted: ${error.message}`));
  }

  /**
   * Has a user who is signed in show their password, and their second factor where it is on. 400 that names the member
   * of `at` which is wrong; failures count as failed sign-ins.
   */
  async confirm(
    userId: string,
    given: { password: string; twoFactorCode?: string },
    at: string,
    address: string,
  ): Promise<void> {
    const [row] = await this.database.run(
      prepared(`${USER} WHERE id = $1 AND permanent_deletion IS NULL`, [userId]),
    );
    if (!row) throw new Unauthorized();
    const [, email, hash, key] = row;
    await this.throttle.attempt(email!, address, async () => {
      if (!(await verifyPassword(hash ?? undefined, given.password)))
        throw new ValidationError(`${at}.password is not your password`);
      if (key)
        await this.takeCode(
          userId,
          key,
          given.twoFactorCode,
          (message) => new ValidationError(`${at}.twoFactorCode: ${message}`),
        );
    });
  }

  /** Takes a code of the sealed key; each works once. */
  async takeCode(
    userId: string,
    sealed: string,
    code: string | undefined,
    error: (message: string) => Error,
  ): Promise<void> {
    if (code === undefined) throw error('A code of the second factor is required');
    const step = verifyTotp(this.secrets.open(sealed, twoFactorContext(userId)), code);
    const taken =
      step !== undefined && (await this.database.run(prepared(TAKE_STEP, [userId, step]))).length > 0;
    if (!taken) throw error('The code of the second factor is wrong');
  }
}
