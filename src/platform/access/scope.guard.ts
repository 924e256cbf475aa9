import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import jwt from 'jsonwebtoken';
import { Forbidden, Unauthorized } from '../../lib/errors/errors.js';
import { OPERATION, type OperationMeta } from '../operations/operation.js';
import { callOf } from '../calls/calls.js';
import { UNLISTED } from '../server/unlisted.js';
import type { Claims } from './token-signer.js';
import { AccessCache } from './access-cache.js';
import { bearerToken } from './jwt.strategy.js';
import { pathIds } from './places.js';
import type { Principal } from './principal.js';
import { Principals } from './principals.js';
import type { GuardedRequest } from './request.js';

/**
 * Admits requests whose token has one of the operation's scopes. The guard is global: a handler that declares no
 * operation is rejected rather than left public.
 */
@Injectable()
export class ScopeGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: AccessCache,
    private readonly principals: Principals,
  ) {
    super();
  }

  /** Returns synchronously for cached tokens, because a promise would cost every request an event loop turn. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const operation = this.reflector.get<OperationMeta | undefined>(OPERATION, context.getHandler());
    if (!operation) {
      if (this.reflector.get<boolean | undefined>(UNLISTED, context.getHandler())) return true;
      throw new Forbidden();
    }
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    request.operation = operation;
    const call = callOf(request);
    if (call) {
      if (call.operationId !== operation.id) throw new Forbidden();
      return admit(request, call.caller, operation);
    }
    if (operation.scopes === 'public') return true;
    const token = bearerToken(request);
    if (!token) throw new Unauthorized();
    const principal = this.cache.get(token);
    return principal ? admit(request, principal, operation) : this.verify(context, request, operation, token);
  }

  /** Lets Passport verify the token, then reads its principal and the place of the request. */
  private async verify(
    context: ExecutionContext,
    request: GuardedRequest,
    operation: OperationMeta,
    token: string,
  ): Promise<boolean> {
    await super.canActivate(context);
    const claims = request.user as unknown as Claims;
    const read = () => this.principals.load(token, claims, pathIds(request.params));
    const { principal, place, membership } = await this.cache.load(token, read);
    request.accessContext = { place, membership };
    return admit(request, principal, operation);
  }

  /** Called by Passport: converts its results to the platform's errors. */
  override handleRequest<T>(error: unknown, claims: T | false, info: unknown): T {
    if (error) throw error as Error;
    if (claims) return claims;
    throw new Unauthorized(info instanceof jwt.TokenExpiredError ? 'Access token has expired' : undefined);
  }
}

function admit(request: GuardedRequest, principal: Principal, { accepts }: OperationMeta): true {
  if (principal.addresses && !principal.addresses.allows(request.ip)) throw new Unauthorized();
  if (!holdsOne(principal.scopes, accepts)) throw new Forbidden(missingScopeMessage(accepts));
  request.principal = principal;
  return true;
}

function holdsOne(held: ReadonlySet<string>, accepted: ReadonlySet<string>): boolean {
  for (const scope of held) if (accepted.has(scope)) return true;
  return false;
}

/** Names what the caller can ask for. The scopes that the token has are not repeated, because others may read the message. */
const missingScopeMessage = (accepted: ReadonlySet<string>): string =>
  `Access is forbidden: the token needs one of the scopes ${[...accepted].sort().join(', ')}`;
