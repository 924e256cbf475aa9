import { Injectable } from '@nestjs/common';
import type { RateLimit } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';

/** Lets a hundred requests in ten seconds through for each thing that can be triggered from outside. */
@Injectable()
export class RequestThrottle {
  private readonly requests: RateLimit;

  constructor(limits: RateLimits) {
    this.requests = limits.limit('requests', { points: 100, duration: 10 });
  }

  /** Counts a request of `key`; throws `TooManyRequests` where it is one too many. */
  take(key: string): Promise<void> {
    return this.requests.take(key);
  }
}
