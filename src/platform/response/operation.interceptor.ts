import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { GuardedRequest } from '../access/request.js';
import { UnsupportedMediaType } from '../errors/errors.js';
import { OPERATION, type OperationMeta } from '../operation.js';
import { Reply, Stored, StoredPage } from './answers.js';
import type { Contract } from './contract.js';

/** Gives the contract of the running application; the document exists only once every controller does. */
export const CONTRACT = Symbol('contract');

const JSON_TYPE = 'application/json; charset=utf-8';

/** Holds every operation to the document: its body on the way in, its answer on the way out. */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONTRACT) private readonly contract: { current: Contract },
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = this.reflector.get<OperationMeta | undefined>(OPERATION, context.getHandler());
    if (!operation) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    if (operation.bodyName) {
      if (request.is('multipart')) throw new UnsupportedMediaType();
      this.contract.current.checkBody(operation.id, operation.bodyName, request.body);
    }
    return next.handle().pipe(map((answer) => this.answer(operation, http.getResponse<Response>(), answer)));
  }

  private answer(operation: OperationMeta, response: Response, answer: unknown): unknown {
    let body = answer;
    if (body instanceof Reply) {
      response.status(body.status);
      body = body.body;
    }
    if (body instanceof Stored || body instanceof StoredPage) {
      response.setHeader('Content-Type', JSON_TYPE);
      return body.toJsonText();
    }
    const status = response.statusCode;
    if (!this.contract.current.declares(operation.id, status))
      throw new Error(`${operation.id}: ${status} is not declared`);
    return this.contract.current.copy(operation.id, status, body);
  }
}
