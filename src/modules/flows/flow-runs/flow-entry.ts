import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Entry } from '../../../platform/audit/audit.js';

/** A workflow of an application, by the names of both. */
export interface NamedFlow {
  flowId: string;
  name: string;
  applicationName: string;
}

/** The entry about something done with a workflow, in the log of the organization that owns its application. */
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
