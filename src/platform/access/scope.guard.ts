import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import jwt from 'jsonwebtoken';
import { Forbidden, Unauthorized } from '../errors/errors.js';
import { OPERATION, type OperationMeta } from '../operation.js';
import { UNLISTED } from '../server/unlisted.js';
import { PrincipalCache } from '../tokens/principal-cache.js';
import { bearerToken } from './jwt.strategy.js';
import type { Principal } from './principal.js';
import type { GuardedRequest } from './request.js';

/**
 * Lets a request through that carries a token with one of the operation's scopes. Global: a handler that declares no
 * operation is refused, not served to everyone.
 */
@Injectable()
export class ScopeGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: PrincipalCache,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<OperationMeta | undefined>(OPERATION, context.getHandler());
    if (!operation) {
      if (this.reflector.get<boolean | undefined>(UNLISTED, context.getHandler())) return true;
      throw new Forbidden();
    }
    if (operation.scopes === 'public') return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const token = bearerToken(request);
    if (!token) throw new Unauthorized();
    let principal = this.cache.get(token);
    if (!principal) {
      await super.canActivate(context);
      principal = request.user as unknown as Principal;
    }
    if (!holdsOne(principal.scopes, operation.accepts)) throw new Forbidden();
    request.principal = principal;
    return true;
  }

  /** Called by passport: turns its outcomes into the platform's errors. */
  override handleRequest<T>(error: unknown, principal: T | false, info: unknown): T {
    if (error) throw error as Error;
    if (principal) return principal;
    throw new Unauthorized(info instanceof jwt.TokenExpiredError ? 'Access token has expired' : undefined);
  }
}

function holdsOne(held: ReadonlySet<string>, accepted: ReadonlySet<string>): boolean {
  for (const scope of held) if (accepted.has(scope)) return true;
  return false;
}
