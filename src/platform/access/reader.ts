import { atLeast } from './principal.js';
import type { GuardedRequest } from './request.js';

/**
 * Returns whether the caller only has read access. This is so if the role is below `collaborate` (in an instance, below
 * `admin`), or if the only scopes of the token that match the operation end in `.read`.
 */
export function isReadOnly({ principal, operation, application, params }: GuardedRequest): boolean {
  if (!principal || !operation) return true;
  const opening = [...principal.scopes].filter((scope) => operation.accepts.has(scope));
  if (opening.every((scope) => scope.endsWith('.read'))) return true;
  if (application) return !atLeast(application.role, 'collaborate');
  const { instanceId, orgId } = params as { instanceId?: string; orgId?: string };
  return instanceId === undefined || principal.roleInInstance(instanceId, orgId) !== 'admin';
}
