import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Forbidden, NotFound, ValidationError } from '../errors/errors.js';
import { ID_PATTERN } from '../fields.js';
import type { Role } from '../operation.js';
import { atLeast, type Principal } from './principal.js';
import type { ApplicationAccess, GuardedRequest } from './request.js';

const ID = new RegExp(ID_PATTERN);
const FIND = `SELECT id, owner_id, owner_type FROM applications WHERE id = $1 AND deleted_at IS NULL`;

/**
 * Finds the application or organization that the path names and the caller's role there. What the caller may not see is
 * 404, as if it did not exist; what they see but may not do is 403.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly database: Database) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const { params, principal, operation } = request;
    normalizeIds(params);
    if (!principal || !operation || operation.selfGuarded) return true;
    const { applicationId, orgId } = params;
    if (typeof applicationId === 'string') {
      return this.admitTo(applicationId, request, principal, operation.role ?? 'view');
    }
    if (typeof orgId === 'string') {
      demand(principal.roleInOrganization(orgId), operation.role ?? 'view', 'Organization');
    }
    return true;
  }

  private async admitTo(
    id: string,
    request: GuardedRequest,
    principal: Principal,
    wanted: Role,
  ): Promise<true> {
    const [row] = await this.database.run({ name: 'application-access', text: FIND, values: [id] });
    if (!row) throw new NotFound('Application');
    const application = { id, ownerId: row[1]!, ownerType: row[2] as ApplicationAccess['ownerType'] };
    demand(principal.roleOn(application), wanted, 'Application');
    request.application = application;
    return true;
  }
}

/** 404 for what is invisible, 403 for a role that is too small. */
export function demand(role: Role, wanted: Role, title: string): void {
  if (!atLeast(role, 'view')) throw new NotFound(title);
  if (!atLeast(role, wanted)) throw new Forbidden();
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
