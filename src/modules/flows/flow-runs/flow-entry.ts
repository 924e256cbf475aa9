import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Entry } from '../../../platform/audit/audit.js';

/** IDs and names of a workflow and its application. */
export interface NamedFlow {
  flowId: string;
  name: string;
  applicationName: string;
}

/** Returns an audit log entry for an action on a workflow, for the organization that owns the application. */
export function flowEntry(
  { id, ownerId, ownerType }: ApplicationAccess,
  { flowId, name, applicationName }: NamedFlow,
): Entry {
  if (ownerType === 'user') return {};
  return {
    organization: {
      id: ownerId,
      primary: { type: 'Application', id, name: applicationName },
      secondary: { type: 'Flow', id: flowId, name },
    },
    response: { id: flowId },
  };
}
