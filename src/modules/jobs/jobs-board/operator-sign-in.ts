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
const MAX_SESSIONS = 100;
const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;
/** A password followed by the code of a user with two-factor authentication. */
const WITH_CODE = /^(.+):(\d{6})$/s;

/**
 * Signs in admins of the instance with HTTP Basic authentication: e-mail address and password, followed by `:` and a
 * code if two-factor authentication is enabled. Attempts count like any other sign-in. The same header is then accepted
 * for one hour without verifying the password, as long as the user is an admin and their tokens are valid.
 */
@Injectable()
export class OperatorSignIn {
  /** Sessions by the header's hash with a key of this process; the header itself is not stored. */
  private readonly sessions = new LRUCache<string, Claims>({ max: MAX_SESSIONS, ttl: HOUR_MS });
  private readonly key = randomBytes(32).toString('hex');

  constructor(
    private readonly credentials: CredentialsService,
    private readonly principals: Principals,
    private readonly cache: AccessCache,
  ) {}

  /** Throws `Unauthorized` for invalid credentials, and `Forbidden` for users without an instance to manage. */
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
    const read = () => this.principals.load(token, claims, {});
    try {
      const principal = this.cache.get(token) ?? (await this.cache.load(token, read)).principal;
      return principal.instancesWith('admin').length > 0;
    } catch (error) {
      // The user's tokens were revoked, and so is this session.
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
