import { Inject, Injectable } from '@nestjs/common';
import { canonicalAddress } from '../../../lib/mail/addresses.js';
import { Unauthorized } from '../../../lib/errors/errors.js';
import { TokenSigner } from '../../../platform/access/token-signer.js';
import { UsersRepository, type SignedIn } from '../users/users.repository.js';
import type { AuthedUser, CodehostLogin, UserCredentials } from './auth.resource.js';
import { CodehostClient } from './codehost-client.js';
import { CredentialsService } from './credentials.service.js';
import { SignInThrottle } from './sign-in-throttle.js';

export const DEFAULT_TTL_SECONDS = 24 * 3600;

/** Signs users in by every supported method and issues their tokens. */
@Injectable()
export class AuthService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly codehost: CodehostClient,
    private readonly throttle: SignInThrottle,
    private readonly users: UsersRepository,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
  ) {}

  async signIn(login: UserCredentials, address: string): Promise<AuthedUser> {
    return this.tokenFor(await this.credentials.signIn(login, address), login);
  }

  async signInWithCodehost(login: CodehostLogin, address: string): Promise<AuthedUser> {
    const signedIn = await this.throttle.attempt({ address }, async () => {
      const account = await this.codehost.identify(login.accessToken);
      const addresses = account.verifiedEmails.flatMap((email) => canonicalAddress(email) ?? []);
      const user = await this.users.signInLinked({ id: account.id, login: account.login, addresses });
      if (!user) throw new Unauthorized('No user is linked to this identity');
      return user;
    });
    return this.tokenFor(signedIn, login);
  }

  /** Issues a session token. Defaults to `all.User` and one day. */
  tokenFor(
    { id, issuedAt }: SignedIn,
    { requestedScopes, tokenTTL }: { requestedScopes?: readonly string[]; tokenTTL?: number } = {},
  ): AuthedUser {
    const scope = requestedScopes ?? ['all.User'];
    const life = { issuedAt, ttl: tokenTTL ?? DEFAULT_TTL_SECONDS };
    return { userId: id, token: this.signer.sign({ sub: id, scope }, life) };
  }
}
