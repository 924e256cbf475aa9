import { Injectable } from '@nestjs/common';
import type { Author } from '../audit/author.js';
import { sha256 } from '../../lib/crypto/hashes.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { validateAddress } from '../../lib/mail/mail.js';
import type { RateLimit } from '../throttle/rate-limit.js';
import { RateLimits } from '../throttle/rate-limits.js';
import { CallbacksService } from './callbacks.service.js';

/** Who hears how a job ended. */
export interface Listeners {
  email?: string;
  callbackUrl?: string;
}

/** What a log shows of who hears of a job: of a URL its origin, since the rest may be a secret of the receiver. */
export function loggedListeners({ email, callbackUrl }: Listeners): object {
  return {
    ...(email === undefined ? {} : { emails: [email] }),
    ...(callbackUrl === undefined ? {} : { callbackUrl: `${new URL(callbackUrl).origin}/` }),
  };
}

const HOUR = 3_600;
const MOST_MAILS = 100;

/** Decides who hears how a job ends: whom its body names, or else the user who asks. */
@Injectable()
export class ListenersOfJobs {
  private readonly recipients: RateLimit;

  constructor(
    private readonly callbacks: CallbacksService,
    limits: RateLimits,
  ) {
    const rate = { points: MOST_MAILS, duration: HOUR };
    this.recipients = limits.limit('jobs:to', rate, 'Too many mails go to this address');
  }

  /** As `find`, where it is no fault that nobody hears of it. */
  async findAny(asked: Listeners, by: Author, body: string): Promise<Listeners> {
    const isNobody = asked.email === undefined && asked.callbackUrl === undefined;
    return isNobody && by.caller.subject.type !== 'user' ? {} : this.find(asked, by, body);
  }

  /** Throws where those who are named cannot hear of anything; `body` is what named them, absent for the query. */
  check({ email, callbackUrl }: Listeners, body?: string): void {
    if (callbackUrl !== undefined) this.callbacks.check(callbackUrl, member(body, 'callbackUrl'));
    if (email !== undefined) validateAddress(email, member(body, 'email'));
  }

  /** Throws where nobody could hear of it, or an address gets too much mail; `body` is what named them, absent for the query. */
  async find({ email, callbackUrl }: Listeners, { caller }: Author, body?: string): Promise<Listeners> {
    const own = caller.subject.type === 'user' ? caller.name : undefined;
    const to = email ?? (callbackUrl === undefined ? own : undefined);
    this.check({ email: to, callbackUrl }, body);
    if (to === undefined) {
      if (callbackUrl !== undefined) return { callbackUrl };
      throw new ValidationError(
        `${member(body, 'email')} or ${member(body, 'callbackUrl')} is required, as no user asks`,
      );
    }
    await this.recipients.take(sha256(to));
    return { email: to, callbackUrl };
  }
}

const member = (body: string | undefined, name: string): string => (body ? `${body}.${name}` : name);
