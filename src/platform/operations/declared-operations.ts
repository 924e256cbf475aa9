import type { Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import { OPERATION, type OperationMeta } from './operation.js';

/** A handler and the operation that it is declared as. */
export interface DeclaredOperation {
  handler: object;
  operation: OperationMeta;
}

/** Returns the operations that the handlers of a controller declare. */
export function declaredOperations(controller: Type): DeclaredOperation[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const operation = Reflect.getMetadata(OPERATION, handler) as OperationMeta | undefined;
    return operation ? [{ handler, operation }] : [];
  });
}
