import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import type { Response } from 'express';
import type { Config } from '../../config/config.js';
import type { Principal } from '../access/principal.js';
import type { GuardedRequest } from '../access/request.js';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { addHeaders } from '../../lib/http/listed-headers.js';
import { RequestCounts, WINDOW_MS } from './request-counts.js';

const ADMITTED = Promise.resolve(true);

/** The limits of the configuration; zero is none. */
export function requestLimits(config: Config, storage: RequestCounts): ThrottlerModuleOptions {
  const limits = {
    token: config.REQUESTS_PER_TOKEN,
    owner: config.REQUESTS_PER_OWNER,
    fleet: config.REQUESTS_PER_FLEET,
  };
  const throttlers = Object.entries(limits).map(([name, limit]) => ({ name, limit, ttl: WINDOW_MS }));
  return { throttlers: throttlers.filter(({ limit }) => limit > 0), storage };
}

/**
 * Limits how often a token is used, and all tokens of one owner together, those of devices for themselves, and says with each
 * answer what is left of the limit that is nearer. Without the promises, look-ups and hashes that `ThrottlerGuard` has for each limit: they would cost a
 * twentieth of a GET.
 */
@Injectable()
export class RequestLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly counts: RequestCounts,
    reflector: Reflector,
  ) {
    super(options, counts, reflector);
  }

  override canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<GuardedRequest>();
    if (principal) this.count(principal, http.getResponse<Response>());
    return ADMITTED;
  }

  private count(principal: Principal, response: Response): void {
    let limit = Infinity;
    let left = Infinity;
    // Devices that report much must not keep their owner out, nor the owner them.
    const others = principal.subject.type === 'device' ? 'owner' : 'fleet';
    for (const throttler of this.throttlers) {
      if (throttler.name === others) continue;
      const most = throttler.limit as number;
      const rest = most - this.counts.count(keyOf(principal, throttler.name!));
      if (rest < left) [limit, left] = [most, rest];
    }
    if (left === Infinity) return;
    const { secondsLeft } = this.counts;
    addHeaders(response, [
      ...['RateLimit-Limit', String(limit)],
      ...['RateLimit-Remaining', String(Math.max(0, left))],
      ...['RateLimit-Reset', String(secondsLeft)],
    ]);
    if (left < 0) throw new TooManyRequests(secondsLeft);
  }
}

/** A token that signs somebody in has no id; its time of issue tells it from others. */
export function keyOf({ token, subject, issuedAt, ownerId }: Principal, limit: string): string {
  if (limit !== 'token') return `${limit}:${ownerId}`;
  return token ? `token:${token.id}` : `session:${subject.id}:${issuedAt}`;
}
