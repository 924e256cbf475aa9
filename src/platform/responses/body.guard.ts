import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessGuard } from '../access/access.guard.js';
import type { GuardedRequest } from '../access/request.js';
import { ScopeGuard } from '../access/scope.guard.js';
import type { OperationMeta } from '../operations/operation.js';
import { bodySizeOf } from '../server/body-sizes.js';
import { hasBody, readBody } from '../server/read-body.js';
import type { Contract } from './contract.js';

/** Provides the contract of the running application, because the document is built after all controllers. */
export const CONTRACT = Symbol('contract');

/**
 * Parses the body of an operation and validates it against the document. It is the last guard, so that bodies of
 * rejected requests are never parsed. Bodies of operations that take none are not read.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  /** Time in milliseconds for which the caller is trusted while the body arrives. */
  trustMs = 1_000;

  constructor(
    @Inject(CONTRACT) private readonly contract: { current: Contract },
    private readonly scopes: ScopeGuard,
    private readonly access: AccessGuard,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const { operation } = context.switchToHttp().getRequest<GuardedRequest>();
    if (!operation?.bodyName) return true;
    return this.check(context, operation, operation.bodyName);
  }

  private async check(context: ExecutionContext, operation: OperationMeta, name: string): Promise<true> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    if (hasBody(request)) {
      const began = performance.now();
      await readBody(request, bodySizeOf(operation));
      if (performance.now() - began >= this.trustMs) await this.admitAgain(context, request);
    }
    const { current } = this.contract;
    if (operation.optionalBody && request.body === undefined) request.body = {};
    current.checkBody(operation.id, name, request.body);
    request.secrets = current.secretsOf(operation.id);
    return true;
  }

  /** Repeats the authorization, because it may have changed while the body arrived, which can take minutes. */
  private async admitAgain(context: ExecutionContext, request: GuardedRequest): Promise<void> {
    request.accessContext = undefined;
    await this.scopes.canActivate(context);
    await this.access.canActivate(context);
  }
}
