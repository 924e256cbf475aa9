import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { Principals } from '../../../platform/access/principals.js';
import { canonicalAddress } from '../../../lib/mail/addresses.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { Forbidden, Unauthorized } from '../../../lib/errors/errors.js';
import type { Claims } from '../../../platform/access/token-signer.js';
import { CredentialsService } from '../../accounts/auth/credentials.service.js';
import { UsersRepository, type Identity } from '../../accounts/users/users.repository.js';

const HOUR_MS = 3_600_000;
const MAX_SESSIONS = 100;
const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;
/** A password followed by the code of a user with two-factor authentication. */
const WITH_CODE = /^(.+):(\d{6})$/s;

/** Credentials of a header. */
interface Given {
  email: string;
  password: string;
  twoFactorCode?: string;
}

interface Session {
  claims: Claims;
  /** Credentials that were verified. */
  identity: Identity;
}

/**
 * Signs in admins of the instance with HTTP Basic authentication: e-mail address and password, followed by `:` and a
 * code if two-factor authentication is enabled. Attempts count like any other sign-in. The same header is then accepted
 * for one hour without verifying the password, as long as the user is an admin, their tokens are valid, and password and
 * second factor are unchanged.
 */
@Injectable()
export class OperatorSignIn {
  /** Sessions by the header's hash with a key of this process; the header itself is not stored. */
  private readonly sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS, ttl: HOUR_MS });
  private readonly key = randomBytes(32).toString('hex');

  constructor(
    private readonly credentials: CredentialsService,
    private readonly users: UsersRepository,
    private readonly principals: Principals,
    private readonly cache: AccessCache,
  ) {}

  /** Throws `Unauthorized` for invalid credentials, and `Forbidden` for users without an instance to manage. */
  async admit(authorization: string | undefined, address: string): Promise<void> {
    const given = credentialsIn(authorization);
    if (!given) throw new Unauthorized();
    const key = sha256(`${this.key} ${authorization}`);
    const session = (await this.unchanged(key)) ?? (await this.open(key, given, address));
    if (!(await this.isAdmin(key, session.claims))) throw new Forbidden();
  }

  /** Returns a session whose user still has the verified credentials. */
  private async unchanged(key: string): Promise<Session | undefined> {
    const session = this.sessions.get(key);
    if (!session || isDeepStrictEqual(await this.users.identity('id', session.claims.sub), session.identity))
      return session;
    this.sessions.delete(key);
    return undefined;
  }

  private async open(key: string, given: Given, address: string): Promise<Session> {
    // Read before the verification: a change in between ends the session.
    const identity = await this.users.identity('email', given.email);
    const { id, issuedAt } = await this.credentials.signIn(given, address);
    const session = { claims: { sub: id, scope: [], iat: issuedAt.getTime() / 1000 }, identity: identity! };
    this.sessions.set(key, session);
    return session;
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

function credentialsIn(authorization = ''): Given | undefined {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const email = canonicalAddress(text.slice(0, colon));
  if (email === undefined) return undefined;
  const rest = text.slice(colon + 1);
  const [, password = rest, twoFactorCode] = WITH_CODE.exec(rest) ?? [];
  return { email, password, ...(twoFactorCode ? { twoFactorCode } : {}) };
}
