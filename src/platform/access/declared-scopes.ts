import type { FactoryProvider, Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { declaredOperations } from '../operations/declared-operations.js';
import { ScopeGrants, type AcceptedScopes } from './scopes.js';

/** Builds the grants at startup from the metadata of every handler. */
export const SCOPE_GRANTS: FactoryProvider<ScopeGrants> = {
  provide: ScopeGrants,
  inject: [DiscoveryService],
  useFactory: (discovery: DiscoveryService) =>
    new ScopeGrants(discovery.getControllers().flatMap(({ metatype }) => acceptedBy(metatype as Type))),
};

function acceptedBy(controller: Type): AcceptedScopes[] {
  return declaredOperations(controller)
    .filter(({ operation }) => operation.scopes !== 'public')
    .map(({ operation: { scopedAs, id, accepts } }) => ({ name: scopedAs ?? id, accepts }));
}
