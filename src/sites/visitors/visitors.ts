import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { ExperienceUser } from '../../modules/experience/experience-users/experience-user.resource.js';
import {
  ExperienceTokens,
  type ExperienceToken,
} from '../../modules/experience/experience-users/experience-tokens.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { LiveCache } from '../../platform/sites/live-cache.js';
import { SiteChanges } from '../../platform/sites/site-changes.js';
import { VisitorsRepository, type FoundUser } from './visitors.repository.js';

/** The user of a request with a valid token. */
export interface Visitor {
  readonly user: ExperienceUser;
  /** What workflows and pages see of the token. */
  readonly authInfo: {
    readonly issuedAt: Date;
    readonly expiresAt: Date | null;
    readonly extraData: unknown;
  };
}

const MAX_USERS = 20_000;
const MAX_TOKENS = 20_000;
/** Longer tokens do not fit into the head of a request. */
const MAX_LENGTH = 16 * 1024;

/** Knows the users of experiences by their tokens. */
@Injectable()
@RunsIn('sites')
export class Visitors {
  private readonly users: LiveCache<FoundUser>;
  /** Verified tokens by application and digest, because a signature takes longer to verify than all else. */
  private readonly verified = new LRUCache<string, ExperienceToken>({ max: MAX_TOKENS });

  constructor(
    private readonly repository: VisitorsRepository,
    private readonly tokens: ExperienceTokens,
    changes: SiteChanges,
  ) {
    this.users = new LiveCache(changes, { max: MAX_USERS, applicationOf: ({ user }) => user.applicationId });
  }

  /** Forgets a user. */
  evictUser(id: string): void {
    this.users.evict(id);
  }

  /** Forgets all users of an application. */
  evictOf(applicationId: string): void {
    this.users.evictOf(applicationId);
  }

  clear(): void {
    this.users.clear();
  }

  /** Returns the user of a token of an application, or `undefined` if the token is not valid any more. */
  async of(applicationId: string, token: string): Promise<Visitor | undefined> {
    const read = token.length <= MAX_LENGTH ? this.verify(applicationId, token) : undefined;
    if (!read) return undefined;
    const { userId, issuedAt, expiresAt = null, extraData } = read;
    if (expiresAt && expiresAt.getTime() <= Date.now()) return undefined;
    const found = await this.users.get(userId, () => this.repository.find(applicationId, userId));
    if (!found || found.user.applicationId !== applicationId) return undefined;
    if (found.cutoff && issuedAt < found.cutoff) return undefined;
    return { user: found.user, authInfo: { issuedAt, expiresAt, extraData } };
  }

  private verify(applicationId: string, token: string): ExperienceToken | undefined {
    const key = createHash('sha256').update(`${applicationId} ${token}`).digest('base64');
    const known = this.verified.get(key);
    if (known) return known;
    const read = this.tokens.read(applicationId, token);
    if (read) this.verified.set(key, read);
    return read;
  }
}
