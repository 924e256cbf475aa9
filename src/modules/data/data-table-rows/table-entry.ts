import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Entry } from '../../../platform/audit/audit.js';

/** A data table of an application, by the names of both. */
export interface NamedTable {
  id: string;
  name: string;
  applicationName: string;
}

/** The entry about many rows of a data table, in the log of the organization that owns its application. */
export function tableEntry(
  { id: applicationId, ownerId, ownerType }: ApplicationAccess,
  { id, name, applicationName }: NamedTable,
): Entry {
  if (ownerType === 'user') return {};
  return {
    organization: {
      id: ownerId,
      primary: { type: 'Application', id: applicationId, name: applicationName },
      secondary: { type: 'DataTable', id, name },
    },
    response: { id },
  };
}
