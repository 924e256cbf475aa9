import type { FactoryProvider, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OPERATION, type OperationMeta } from '../operations/operation.js';
import { ScopeGrants, type AcceptedScopes } from './scopes.js';

/** Builds the grants at startup from the metadata of every handler. */
export const SCOPE_GRANTS: FactoryProvider<ScopeGrants> = {
  provide: ScopeGrants,
  inject: [DiscoveryService],
  useFactory: (discovery: DiscoveryService) =>
    new ScopeGrants(discovery.getControllers().flatMap(({ metatype }) => acceptedBy(metatype as Type))),
};

function acceptedBy(controller: Type): AcceptedScopes[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const operation = Reflect.getMetadata(OPERATION, prototype[name]!) as OperationMeta | undefined;
    if (!operation || operation.scopes === 'public') return [];
    return [{ name: operation.scopedAs ?? operation.id, accepts: operation.accepts }];
  });
}
