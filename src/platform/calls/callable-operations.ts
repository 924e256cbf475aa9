import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { declaredOperations } from '../operations/declared-operations.js';
import type { OperationMeta } from '../operations/operation.js';
import { pathsOf } from '../access/declared-roles.js';
import { FLOW, FLOW_SCOPE } from '../access/kinds/flow.js';
import { atLeast } from '../access/principal.js';

/** An operation that workflows can call. */
export interface CallableOperation {
  readonly operation: OperationMeta;
  /** Method in lower case. */
  readonly method: string;
  /** Path as it was registered, such as `/applications/:applicationId/devices`. */
  readonly path: string;
  /** Names of the parameters in the path. */
  readonly parameters: readonly string[];
}

/** Operations on the application itself. Others decide by the role in their path alone. */
const SELF_GUARDED = new Set(['application.get']);
/** Resources of an application that grant access to it from outside. Workflows neither see nor create them. */
const TOKENS = /^applicationApiTokens?\./;

/**
 * Returns the operations of a controller that workflows can call: those on resources of an application whose responses
 * are JSON, and whose bodies are JSON or a file.
 */
export function callableOperations(controller: Type): CallableOperation[] {
  return declaredOperations(controller).flatMap(({ handler, operation }) => {
    const path = pathsOf(controller, handler).find((each) => each.split('/').includes(':applicationId'));
    if (path === undefined || !isCallable(operation)) return [];
    const method =
      RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase();
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    return [{ operation, method, path: `/${path.split('/').filter(Boolean).join('/')}`, parameters }];
  });
}

function isCallable({ id, accepts, role, form, events, returns }: OperationMeta): boolean {
  const isAllowed = role ? atLeast(FLOW.roleInside, role) : SELF_GUARDED.has(id);
  const isJson =
    !form && !events && !Object.values(returns).some((shape) => shape !== null && isBinary(shape));
  return isAllowed && isJson && accepts.has(FLOW_SCOPE) && !TOKENS.test(id);
}

const isBinary = (shape: object): boolean => 'format' in shape && shape.format === 'binary';
