import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { Unauthorized } from '../../platform/errors/errors.js';
import { TokenSigner } from '../../platform/tokens/token-signer.js';
import type { AuthedUser, CodehostLogin, UserCredentials } from './auth.resource.js';
import { CodehostClient } from './codehost-client.js';
import { CredentialsService } from './credentials.service.js';
import { SignInThrottle } from './sign-in-throttle.js';

export const DEFAULT_TTL_SECONDS = 24 * 3600;

/** The user of a linked identity goes before one whose verified address matches; the link is made on the first sign-in. */
const LINK_CODEHOST = `WITH found AS (
    SELECT id FROM users
    WHERE permanent_deletion IS NULL AND NOT sso_linked AND (codehost_id = $1 OR (codehost_id IS NULL AND email_verified AND email = ANY($3::text[])))
    ORDER BY codehost_id NULLS LAST, id LIMIT 1 FOR UPDATE)
  UPDATE users u SET codehost_id = $1, github_name = $2, last_successful_login = now(), failed_login_count = 0
  FROM found WHERE u.id = found.id RETURNING u.id`;

/** Ways of signing in, and the tokens they end in. */
@Injectable()
export class AuthService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly codehost: CodehostClient,
    private readonly throttle: SignInThrottle,
    private readonly database: Database,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
  ) {}

  async signIn(login: UserCredentials, address: string): Promise<AuthedUser> {
    return this.tokenFor(await this.credentials.signIn(login, address), login);
  }

  async signInWithCodehost(login: CodehostLogin, address: string): Promise<AuthedUser> {
    const userId = await this.throttle.attempt(undefined, address, async () => {
      const identity = await this.codehost.identify(login.accessToken);
      const addresses = identity.verifiedEmails.map((email) => email.toLowerCase());
      const [row] = await this.database.run(
        prepared(LINK_CODEHOST, [identity.id, identity.login, addresses]),
      );
      if (!row) throw new Unauthorized('No user is linked to this identity');
      return row[0]!;
    });
    return this.tokenFor(userId, login);
  }

  /** A sign-in token: `all.User` and a day unless asked otherwise. */
  tokenFor(
    userId: string,
    { requestedScopes, tokenTTL }: { requestedScopes?: readonly string[]; tokenTTL?: number } = {},
  ): AuthedUser {
    const scope = requestedScopes ?? ['all.User'];
    return {
      userId,
      token: this.signer.sign({ sub: userId, scope }, { ttl: tokenTTL ?? DEFAULT_TTL_SECONDS }),
    };
  }
}
