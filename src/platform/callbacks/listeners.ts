import { Injectable } from '@nestjs/common';
import type { Author } from '../audit/author.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { validateAddress } from '../../lib/mail/mail.js';
import { CallbacksService } from './callbacks.service.js';

/** Recipients of the result of a job. */
export interface Listeners {
  email?: string;
  callbackUrl?: string;
  /** Owner of the caller, whose emails are limited. Absent for jobs requested before limits existed. */
  ownerId?: string;
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

/** Determines the listeners of a job: those named in its body, otherwise the calling user. */
@Injectable()
export class JobListeners {
  constructor(private readonly callbacks: CallbacksService) {}

  /** Like `resolve`, but permits jobs without listeners. */
  resolveOptional(asked: Listeners, by: Author, body: string): Listeners {
    const isNobody = asked.email === undefined && asked.callbackUrl === undefined;
    return isNobody && !by.caller.kind.hasAccount ? {} : this.resolve(asked, by, body);
  }

  /** Throws if a listener cannot be reached. `body` is the object that names the listeners; absent for the query. */
  check({ email, callbackUrl }: Listeners, body?: string): void {
    if (callbackUrl !== undefined) this.callbacks.check(callbackUrl, fieldPath(body, 'callbackUrl'));
    if (email !== undefined) validateAddress(email, fieldPath(body, 'email'));
  }

  /** Throws if there is no listener. `body` is the object that names the listeners; absent for the query. */
  resolve({ email, callbackUrl }: Listeners, { caller }: Author, body?: string): Listeners {
    const own = caller.kind.hasAccount ? caller.name : undefined;
    const to = email ?? (callbackUrl === undefined ? own : undefined);
    this.check({ email: to, callbackUrl }, body);
    if (to === undefined && callbackUrl === undefined)
      throw new ValidationError(
        `${fieldPath(body, 'email')} or ${fieldPath(body, 'callbackUrl')} is required because the caller is not a user`,
      );
    return { ...(to === undefined ? {} : { email: to }), callbackUrl, ownerId: caller.ownerId };
  }
}

const fieldPath = (body: string | undefined, name: string): string => (body ? `${body}.${name}` : name);
