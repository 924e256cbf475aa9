import type { GuardedRequest } from '../access/request.js';
import { networkOf } from './network.js';

/**
 * Returns the tenant whose turn the work of a request takes: the owner of the application in the path, or else of the
 * caller. For callers that have not signed in, it is their network.
 */
export const tenantOf = ({ application, principal, ip }: GuardedRequest): string =>
  application?.ownerId ?? principal?.ownerId ?? networkOf(ip ?? '');
