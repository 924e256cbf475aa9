import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NotFound, ValidationError } from '../../lib/errors/errors.js';
import { ID_PATTERN } from '../fields/fields.js';
import type { Role } from '../operations/operation.js';
import type { PathIds } from './places.js';
import type { Principal } from './principal.js';
import type { GuardedRequest } from './request.js';
import { Rights } from './rights.js';
import type { Standing } from './standing.js';

const ID = new RegExp(ID_PATTERN);

/**
 * Finds the application, organization or instance that the path names and the caller's role there. What the caller may
 * not see is 404, as if it did not exist; what they see but may not do is 403.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly rights: Rights) {}

  /** Answers at once for what was seen a moment ago, as `ScopeGuard` does for a token. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    normalizeIds(request.params);
    const { principal, operation } = request;
    if (!principal || !operation || operation.selfGuarded) return true;
    const { role } = operation;
    // Which is so only where the path names no place: the start sees to it (`DeclaredRoles`).
    if (!role) return true;
    const ids = request.params as PathIds;
    const standing = request.standing ?? this.rights.known(principal, ids);
    if (standing) return admit(request, ids, principal, role, standing);
    return this.rights.find(principal, ids).then((found) => admit(request, ids, principal, role, found));
  }
}

function admit(
  request: GuardedRequest,
  { applicationId, instanceId, orgId }: PathIds,
  principal: Principal,
  role: Role,
  { place, membership }: Standing,
): true {
  if (applicationId !== undefined) {
    if (place?.kind !== 'application') throw new NotFound('Application');
    const { id, ownerId, ownerType } = place;
    const held = principal.demandOn(place, role, membership);
    const ownDeviceId = principal.subject.type === 'device' ? principal.subject.id : undefined;
    request.application = { id, ownerId, ownerType, role: held, devices: principal.devices, ownDeviceId };
  } else if (instanceId !== undefined) {
    principal.demandInInstance(instanceId, orgId === undefined ? role : 'view');
    if (orgId === undefined) return true;
    if (place?.kind !== 'organization' || place.instanceId !== instanceId) throw new NotFound('Organization');
    principal.demandInInstance(instanceId, role, orgId);
  } else if (orgId !== undefined) {
    principal.demandInOrganization(orgId, role, membership, request.method === 'GET');
  }
  return true;
}

/** Ids are written in lower case; what is no id is 400 wherever it stands. */
function normalizeIds(params: GuardedRequest['params']): void {
  for (const name in params) {
    if (!name.endsWith('Id')) continue;
    const value = String(params[name]);
    if (!ID.test(value)) throw new ValidationError(`${name} is not an id of 24 hexadecimal digits`);
    params[name] = value.toLowerCase();
  }
}
