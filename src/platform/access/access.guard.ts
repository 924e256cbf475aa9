import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NotFound, ValidationError } from '../errors/errors.js';
import { ID_PATTERN } from '../fields.js';
import type { Role } from '../operation.js';
import { AccessCache } from './access-cache.js';
import { Places, wantedPlace, type Place } from './places.js';
import type { Principal } from './principal.js';
import type { GuardedRequest } from './request.js';

const ID = new RegExp(ID_PATTERN);

/**
 * Finds the application, organization or instance that the path names and the caller's role there. What the caller may
 * not see is 404, as if it did not exist; what they see but may not do is 403.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly places: Places,
    private readonly cache: AccessCache,
  ) {}

  /** Answers at once for a place that was seen a moment ago, as `ScopeGuard` does for a token. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    normalizeIds(request.params);
    const { principal, operation } = request;
    if (!principal || !operation || operation.selfGuarded) return true;
    const { role } = operation;
    // Which is so only where the path names no place: the start sees to it (`DeclaredRoles`).
    if (!role) return true;
    const wanted = wantedPlace(request);
    if (!wanted) return admit(request, principal, role);
    const place = request.place === undefined ? this.cache.place(wanted.id) : request.place;
    if (place !== undefined) return admitTo(place, request, principal, role);
    return this.cache
      .loadPlace(() => this.places.find(wanted))
      .then((found) => admitTo(found, request, principal, role));
  }
}

/** To an organization or instance, whose members are known with their tokens. */
function admit({ params, method }: GuardedRequest, principal: Principal, role: Role): true {
  const { orgId, instanceId } = params;
  if (typeof instanceId === 'string') principal.demandInInstance(instanceId, role);
  else if (typeof orgId === 'string') principal.demandInOrganization(orgId, role, method === 'GET');
  return true;
}

/** To an application, or an organization below its instance. */
function admitTo(
  place: Place | null | undefined,
  request: GuardedRequest,
  principal: Principal,
  role: Role,
): true {
  const { instanceId, orgId } = request.params;
  if (typeof instanceId === 'string') {
    principal.demandInInstance(instanceId, 'view');
    if (place?.kind !== 'organization' || place.instanceId !== instanceId) throw new NotFound('Organization');
    principal.demandInInstance(instanceId, role, orgId as string);
    return true;
  }
  if (place?.kind !== 'application') throw new NotFound('Application');
  principal.demandOn(place, role);
  request.application = { id: place.id, ownerId: place.ownerId, ownerType: place.ownerType };
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
