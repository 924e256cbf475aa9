import { atLeast } from './principal.js';
import type { GuardedRequest } from './request.js';

/**
 * Whether whoever asks may only look: their role is below `collaborate`, in an instance below `admin`, or all that opens
 * the operation to their token is a scope that reads.
 */
export function readsOnly({ principal, operation, application, params }: GuardedRequest): boolean {
  if (!principal || !operation) return true;
  const opening = [...principal.scopes].filter((scope) => operation.accepts.has(scope));
  if (opening.every((scope) => scope.endsWith('.read'))) return true;
  if (application) return !atLeast(application.role, 'collaborate');
  const { instanceId, orgId } = params as { instanceId?: string; orgId?: string };
  return instanceId === undefined || principal.roleInInstance(instanceId, orgId) !== 'admin';
}
