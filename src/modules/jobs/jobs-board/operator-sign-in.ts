import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { Principals } from '../../../platform/access/principals.js';
import { canonicalAddress } from '../../../lib/mail/addresses.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { Forbidden, Unauthorized } from '../../../lib/errors/errors.js';
import type { Claims } from '../../../platform/access/token-signer.js';
import { CredentialsService } from '../../accounts/auth/credentials.service.js';

const HOUR_MS = 3_600_000;
const MOST_SESSIONS = 100;
const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;
/** What follows a password where its user has a second factor. */
const WITH_CODE = /^(.+):(\d{6})$/s;

/**
 * Signs in who runs an instance by the header that browsers send for HTTP Basic: e-mail address and password, with `:` and a
 * code behind it where a second factor is on. It counts as every sign-in does. The same header is then taken for an hour,
 * without the costs of a password, as long as its user is an administrator and their tokens are good.
 */
@Injectable()
export class OperatorSignIn {
  /** By what the header is, which is not kept: hashed with a key of this process. */
  private readonly sessions = new LRUCache<string, Claims>({ max: MOST_SESSIONS, ttl: HOUR_MS });
  private readonly key = randomBytes(32).toString('hex');

  constructor(
    private readonly credentials: CredentialsService,
    private readonly principals: Principals,
    private readonly cache: AccessCache,
  ) {}

  /** Throws `Unauthorized` for whom it does not know, and `Forbidden` for whoever runs no instance. */
  async admit(authorization: string | undefined, address: string): Promise<void> {
    const given = credentialsIn(authorization);
    if (!given) throw new Unauthorized();
    const session = sha256(`${this.key} ${authorization}`);
    let claims = this.sessions.get(session);
    if (!claims) {
      const { id, issuedAt } = await this.credentials.signIn(given, address);
      claims = { sub: id, scope: [], iat: issuedAt.getTime() / 1000 };
      this.sessions.set(session, claims);
    }
    if (!(await this.isAdmin(session, claims))) throw new Forbidden();
  }

  private async isAdmin(session: string, claims: Claims): Promise<boolean> {
    const token = `operator ${session}`;
    const read = () => this.principals.of(token, claims, {});
    try {
      const principal = this.cache.get(token) ?? (await this.cache.load(token, read)).principal;
      return principal.instancesWith('admin').length > 0;
    } catch (error) {
      // Their tokens were ended, and so is this.
      if (error instanceof Unauthorized) this.sessions.delete(session);
      throw error;
    }
  }
}

function credentialsIn(
  authorization = '',
): { email: string; password: string; twoFactorCode?: string } | undefined {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const email = canonicalAddress(text.slice(0, colon));
  if (email === undefined) return undefined;
  const rest = text.slice(colon + 1);
  const [, password = rest, twoFactorCode] = WITH_CODE.exec(rest) ?? [];
  return { email, password, ...(twoFactorCode ? { twoFactorCode } : {}) };
}
