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

const ALLOWED = Promise.resolve(true);

/** Returns the throttler options for the limits of the configuration; 0 means no limit. */
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
 * Limits the requests per token and per owner, with a separate limit for the devices of an owner. Adds headers for the
 * limit closest to exhaustion to each response. Avoids the promises, look-ups and hashes that `ThrottlerGuard` needs
 * for each limit, which would cost 5 % of a GET.
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
    return ALLOWED;
  }

  private count(principal: Principal, response: Response): void {
    let limit = Infinity;
    let left = Infinity;
    const { requestLimit } = principal.kind;
    if (!requestLimit) return;
    for (const throttler of this.throttlers) {
      if (throttler.name !== 'token' && throttler.name !== requestLimit) continue;
      const max = throttler.limit as number;
      const rest = max - this.counts.count(keyOf(principal, throttler.name));
      if (rest < left) [limit, left] = [max, rest];
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

/** Session tokens have no ID, so the time of issue distinguishes them. */
export function keyOf({ token, subject, issuedAt, ownerId }: Principal, limit: string): string {
  if (limit !== 'token') return `${limit}:${ownerId}`;
  return token ? `token:${token.id}` : `session:${subject.id}:${issuedAt}`;
}
