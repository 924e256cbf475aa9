import { Injectable } from '@nestjs/common';
import type { Author } from '../audit/author.js';
import { sha256 } from '../../lib/crypto/hashes.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { validateAddress } from '../../lib/mail/mail.js';
import type { RateLimit } from '../throttle/rate-limit.js';
import { RateLimits } from '../throttle/rate-limits.js';
import { CallbacksService } from './callbacks.service.js';

/** Recipients of the result of a job. */
export interface Listeners {
  email?: string;
  callbackUrl?: string;
}

/**
 * Returns the loggable form of a job's listeners: only the origin of a URL, because the rest may contain a secret of
 * the receiver.
 */
export function loggedListeners({ email, callbackUrl }: Listeners): object {
  return {
    ...(email === undefined ? {} : { emails: [email] }),
    ...(callbackUrl === undefined ? {} : { callbackUrl: `${new URL(callbackUrl).origin}/` }),
  };
}

const HOUR = 3_600;
const MAX_MAILS = 100;

/** Determines the listeners of a job: those named in its body, otherwise the calling user. */
@Injectable()
export class JobListeners {
  private readonly recipients: RateLimit;

  constructor(
    private readonly callbacks: CallbacksService,
    limits: RateLimits,
  ) {
    const rate = { points: MAX_MAILS, duration: HOUR };
    this.recipients = limits.limit('jobs:to', rate, 'Too many emails were sent to this address');
  }

  /** Like `resolve`, but permits jobs without listeners. */
  async resolveOptional(asked: Listeners, by: Author, body: string): Promise<Listeners> {
    const isNobody = asked.email === undefined && asked.callbackUrl === undefined;
    return isNobody && !by.caller.kind.hasAccount ? {} : this.resolve(asked, by, body);
  }

  /** Throws if a listener cannot be reached. `body` is the object that names the listeners; absent for the query. */
  check({ email, callbackUrl }: Listeners, body?: string): void {
    if (callbackUrl !== undefined) this.callbacks.check(callbackUrl, fieldPath(body, 'callbackUrl'));
    if (email !== undefined) validateAddress(email, fieldPath(body, 'email'));
  }

  /**
   * Throws if there is no listener, or if an address receives too many emails. `body` is the object that names the
   * listeners; absent for the query.
   */
  async resolve({ email, callbackUrl }: Listeners, { caller }: Author, body?: string): Promise<Listeners> {
    const own = caller.kind.hasAccount ? caller.name : undefined;
    const to = email ?? (callbackUrl === undefined ? own : undefined);
    this.check({ email: to, callbackUrl }, body);
    if (to === undefined) {
      if (callbackUrl !== undefined) return { callbackUrl };
      throw new ValidationError(
        `${fieldPath(body, 'email')} or ${fieldPath(body, 'callbackUrl')} is required because the caller is not a user`,
      );
    }
    await this.recipients.consume(sha256(to));
    return { email: to, callbackUrl };
  }
}

const fieldPath = (body: string | undefined, name: string): string => (body ? `${body}.${name}` : name);
