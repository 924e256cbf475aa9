import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { RequestCounts } from './request-counts.js';

/** Requests in a window of ten seconds. */
const MAX_REQUESTS = 100;

/** Limits external triggers to 100 requests in ten seconds each. */
@Injectable()
export class RequestThrottle {
  constructor(private readonly counts: RequestCounts) {}

  /** Counts a request for `key`; throws `TooManyRequests` if this exceeds the limit. */
  consume(key: string): void {
    if (this.counts.count(`trigger:${key}`) > MAX_REQUESTS)
      throw new TooManyRequests(this.counts.secondsLeft);
  }
}
