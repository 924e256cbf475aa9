import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../lib/crypto/hashes.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';

const HOUR = 3_600;

/**
 * Prevents abuse of invitations for sending unsolicited e-mail: at most 10 per hour to an address, and 200 from a
 * sender or organization.
 */
@Injectable()
export class InviteThrottle {
  private readonly recipients: RateLimit;
  private readonly senders: RateLimit;

  constructor(limits: RateLimits) {
    this.recipients = limits.limit(
      'invites:to',
      { points: 10, duration: HOUR },
      'invite.email has received too many invitations',
    );
    this.senders = limits.limit('invites:from', { points: 200, duration: HOUR }, 'Too many invitations');
  }

  /** Counts an e-mail from each of the senders to the address. Throws `TooManyRequests` if a limit is exceeded. */
  async consume(email: string, senders: readonly string[]): Promise<void> {
    for (const sender of senders) await this.senders.consume(sender);
    await this.recipients.consume(sha256(email));
  }
}
