import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import type { RateLimit } from '../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';

const FIRST_SECONDS = 30;
const MAX_SECONDS = 60 * 60;
/** Time after a ban without a violation, after which the next ban is a first one. */
const CLEAN_SECONDS = 15 * 60;

/** Devices that may not connect for some time, because they sent too many messages. All processes share them. */
@Injectable()
@RunsIn('broker')
export class Bans {
  private readonly bans: RateLimit;
  private readonly violations: RateLimit;

  constructor(limits: RateLimits) {
    this.bans = limits.limit('mqtt:ban', { points: 1, duration: MAX_SECONDS });
    this.violations = limits.limit('mqtt:violations', { points: 1, duration: MAX_SECONDS + CLEAN_SECONDS });
  }

  isBanned(deviceId: string): Promise<boolean> {
    return this.bans.has(deviceId);
  }

  /** Bans a device: for 30 seconds, and twice as long at each further violation. Returns the seconds. */
  async ban(deviceId: string): Promise<number> {
    const { count } = await this.violations.add(deviceId, 1);
    const seconds = Math.min(FIRST_SECONDS * 2 ** (count - 1), MAX_SECONDS);
    // Windows are not extended, so each count begins a new one.
    await Promise.all([this.bans.reset(deviceId), this.violations.reset(deviceId)]);
    await Promise.all([
      this.bans.add(deviceId, 1, seconds),
      this.violations.add(deviceId, count, seconds + CLEAN_SECONDS),
    ]);
    return seconds;
  }
}
