import { Injectable } from '@nestjs/common';
import { experiencePasswords } from '../../../lib/crypto/passwords.js';
import { ApiError } from '../../../lib/errors/errors.js';
import type { Actor, SignInsPort, TokenRequest } from '../../../workflows/engine/ports.js';
import { RunFault } from '../../../workflows/engine/run-error.js';
import { ExperienceSignInsRepository } from './experience-sign-ins.repository.js';
import { ExperienceTokens } from './experience-tokens.js';

/** Limits of the columns. Longer texts cannot be right, and would cost time to compare. */
const MAX_EMAIL_LENGTH = 1024;
const MAX_PASSWORD_LENGTH = 2048;
const MAX_TOKEN_LENGTH = 64 * 1024;

/** Sign-ins of users of experiences, by workflows. */
@Injectable()
export class ExperienceSignIns implements SignInsPort {
  constructor(
    private readonly repository: ExperienceSignInsRepository,
    private readonly tokens: ExperienceTokens,
  ) {}

  async userOfPassword(
    { applicationId }: Actor,
    email: string,
    password: string,
  ): Promise<string | undefined> {
    if (email.length > MAX_EMAIL_LENGTH || password.length > MAX_PASSWORD_LENGTH) return undefined;
    const facts = await this.repository.byEmail(applicationId, email.trim().toLowerCase());
    if (!facts) return undefined;
    const matches = await faulting(
      experiencePasswords.matches(facts.ownerId, facts.passwordHash ?? undefined, password),
    );
    return matches ? facts.id! : undefined;
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
    const expiresAt = ttl === undefined ? undefined : new Date(issuedAt.getTime() + ttl);
    return this.tokens.sign(applicationId, { userId, issuedAt, expiresAt, extraData });
  }
}

/** Converts errors of the platform, such as too many waiting passwords, to those of runs. */
async function faulting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ApiError ? new RunFault(error.type, error.message) : error;
  }
}
