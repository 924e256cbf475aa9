import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { GuardedRequest } from '../access/request.js';
import { UnsupportedMediaType } from '../errors/errors.js';
import type { Contract } from './contract.js';

/** Gives the contract of the running application; the document exists only once every controller does. */
export const CONTRACT = Symbol('contract');

/** Holds the body of every operation to the document; the last of the guards. */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(@Inject(CONTRACT) private readonly contract: { current: Contract }) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const { operation } = request;
    if (operation?.bodyName) {
      if (request.is('multipart')) throw new UnsupportedMediaType();
      const { current } = this.contract;
      current.checkBody(operation.id, operation.bodyName, request.body);
      request.secrets = current.secretsOf(operation.id);
    }
    return true;
  }
}
