import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { RequestCounts } from './request-counts.js';

/** Limits the reports of each device, and the commands to it, because each of them may run workflows. */
@Injectable()
export class MessageThrottle {
  constructor(
    private readonly counts: RequestCounts,
    private readonly config: Config,
  ) {}

  /** Counts a report or a command for the ID of a device; throws `TooManyRequests` if this exceeds the limit. */
  consume(kind: 'command' | 'report', id: string): void {
    const limit = this.config.MESSAGES_PER_DEVICE;
    if (limit > 0 && this.counts.count(`${kind}:${id}`) > limit)
      throw new TooManyRequests(this.counts.secondsLeft, `Too many ${kind}s of the same device`);
  }
}
