import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { experiencePasswords } from '../../../lib/crypto/passwords.js';
import { AccountLocked } from '../../../lib/errors/errors.js';
import type { AttemptBackoff } from '../../../platform/throttle/attempt-backoff.js';
import { SiteChanges } from '../../../platform/sites/site-changes.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import type { Actor, SignInsPort, TokenRequest } from '../../../workflows/engine/ports.js';
import { asFault } from '../../../workflows/engine/run-error.js';
import { ExperienceSignInsRepository } from './experience-sign-ins.repository.js';
import { ExperienceTokens } from './experience-tokens.js';

/** Limits of the columns. Longer texts cannot be right, and would cost time to compare. */
const MAX_EMAIL_LENGTH = 1024;
const MAX_PASSWORD_LENGTH = 2048;
const MAX_TOKEN_LENGTH = 64 * 1024;

/** Limits of wrong passwords for a user, in seconds. Pauses are short, because any visitor can cause them. */
const ATTEMPTS = { freeAttempts: 100, first: 1, max: 60, window: 24 * 60 * 60 };
/** Limits of wrong passwords from a network, which many visitors can share, in all experiences. */
const ATTEMPTS_OF_NETWORK = { freeAttempts: 200, first: 1, max: 300, window: 60 * 60 };

/** Sign-ins of users of experiences, by workflows. */
@Injectable()
export class ExperienceSignIns implements SignInsPort {
  private readonly attempts: AttemptBackoff;
  private readonly attemptsOfNetwork: AttemptBackoff;

  constructor(
    private readonly repository: ExperienceSignInsRepository,
    private readonly tokens: ExperienceTokens,
    private readonly changes: SiteChanges,
    limits: RateLimits,
  ) {
    const refusal = (seconds: number) => new AccountLocked(seconds);
    this.attempts = limits.backoff('experience-sign-in', ATTEMPTS, refusal);
    this.attemptsOfNetwork = limits.backoff('experience-network', ATTEMPTS_OF_NETWORK, refusal);
  }

  /** During a pause, the right password is refused too, so that further attempts reveal nothing. */
  async userOfPassword(
    { applicationId, network }: Actor,
    email: string,
    password: string,
  ): Promise<string | undefined> {
    if (email.length > MAX_EMAIL_LENGTH || password.length > MAX_PASSWORD_LENGTH) return undefined;
    const address = email.trim().toLowerCase();
    const facts = await this.repository.byEmail(applicationId, address);
    if (!facts) return undefined;
    const counted: Counted[] = [
      [this.attempts, sha256(`${applicationId} ${address}`)],
      ...(network === undefined ? [] : [[this.attemptsOfNetwork, network] as const]),
    ];
    if (!(await isAllowed(counted))) return undefined;
    try {
      const { ownerId, passwordHash } = facts;
      const matches = await experiencePasswords.matches(ownerId, passwordHash ?? undefined, password);
      if (!matches) return undefined;
    } catch (error) {
      await refundAll(counted);
      throw asFault(error);
    }
    await refundAll(counted);
    return facts.id!;
  }

  async userOfToken({ applicationId }: Actor, token: string): Promise<string | undefined> {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const read = this.tokens.read(applicationId, token);
    const facts = read && (await this.repository.byId(applicationId, read.userId));
    if (!read || !facts?.id) return undefined;
    const isCurrent = !facts.tokenCutoff || read.issuedAt >= facts.tokenCutoff;
    return isCurrent ? facts.id : undefined;
  }

  async signIn(
    { applicationId }: Actor,
    userId: string,
    { ttl, extraData, ...records }: TokenRequest,
  ): Promise<string | undefined> {
    const issuedAt = await this.repository.record(applicationId, userId, records);
    if (!issuedAt) return undefined;
    if (records.revokes) await this.changes.announce({ kind: 'user', id: userId });
    const expiresAt = ttl === undefined ? undefined : new Date(issuedAt.getTime() + ttl);
    return this.tokens.sign(applicationId, { userId, issuedAt, expiresAt, extraData });
  }
}

/** A backoff, and the key under which it counts an attempt. */
type Counted = readonly [backoff: AttemptBackoff, key: string];

/** Counts an attempt everywhere, or nowhere during a pause. */
async function isAllowed(counted: readonly Counted[]): Promise<boolean> {
  const done: Counted[] = [];
  try {
    for (const one of counted) {
      await one[0].consume(one[1]);
      done.push(one);
    }
    return true;
  } catch (error) {
    if (!(error instanceof AccountLocked)) throw error;
    await refundAll(done);
    return false;
  }
}

const refundAll = async (counted: readonly Counted[]): Promise<void> =>
  void (await Promise.all(counted.map(([backoff, key]) => backoff.refund(key))));
