import { Injectable } from '@nestjs/common';
import type { RateLimit } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';

/** Limits external triggers to 100 requests in ten seconds each. */
@Injectable()
export class RequestThrottle {
  private readonly requests: RateLimit;

  constructor(limits: RateLimits) {
    this.requests = limits.limit('requests', { points: 100, duration: 10 });
  }

  /** Counts a request for `key`; throws `TooManyRequests` if this exceeds the limit. */
  consume(key: string): Promise<void> {
    return this.requests.consume(key);
  }
}
