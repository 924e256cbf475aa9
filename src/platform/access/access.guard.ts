import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NotFound, ValidationError } from '../../lib/errors/errors.js';
import type { Role } from '../operations/operation.js';
import { pathIdOf } from './path-id.js';
import type { PathIds } from './places.js';
import type { Principal } from './principal.js';
import type { GuardedRequest } from './request.js';
import { Permissions } from './permissions.js';
import type { AccessContext } from './access-context.js';

/**
 * Resolves the application, organization or instance that the path names, and the caller's role in it. Responds `404`
 * if the caller cannot see it, and `403` if the caller can see it but lacks the required role.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly permissions: Permissions) {}

  /** Returns synchronously for cached data, as `ScopeGuard` does for tokens. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    normalizeIds(request.params);
    const { principal, operation } = request;
    if (!principal || !operation || operation.selfGuarded) return true;
    const { role } = operation;
    // Only the case if the path names no place: `DeclaredRoles` enforces this at startup.
    if (!role) return true;
    const ids = request.params as PathIds;
    const standing = request.accessContext ?? this.permissions.cachedContext(principal, ids);
    if (standing) return admit(request, ids, principal, role, standing);
    return this.permissions.find(principal, ids).then((found) => admit(request, ids, principal, role, found));
  }
}

function admit(
  request: GuardedRequest,
  { applicationId, instanceId, orgId }: PathIds,
  principal: Principal,
  role: Role,
  { place, membership }: AccessContext,
): true {
  if (applicationId !== undefined) {
    if (place?.kind !== 'application') throw new NotFound('Application');
    const { id, ownerId, ownerType } = place;
    const held = principal.assertRoleOn(place, role, membership);
    const ownDeviceId = principal.subject.type === 'device' ? principal.subject.id : undefined;
    request.application = { id, ownerId, ownerType, role: held, devices: principal.devices, ownDeviceId };
  } else if (instanceId !== undefined) {
    principal.assertRoleInInstance(instanceId, orgId === undefined ? role : 'view');
    if (orgId === undefined) return true;
    if (place?.kind !== 'organization' || place.instanceId !== instanceId) throw new NotFound('Organization');
    principal.assertRoleInInstance(instanceId, role, orgId);
  } else if (orgId !== undefined) {
    principal.assertRoleInOrganization(orgId, role, membership, request.method === 'GET');
  }
  return true;
}

/** Lowercases IDs, and replaces job IDs by log IDs. Throws a `400` error for every malformed ID in the path. */
function normalizeIds(params: GuardedRequest['params']): void {
  for (const name in params) {
    if (!name.endsWith('Id')) continue;
    const kind = pathIdOf(name);
    const id = kind.parse(String(params[name]));
    if (id === undefined) throw new ValidationError(`${name} is not ${kind.form}`);
    params[name] = id;
  }
}
