import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Entry } from '../../../platform/audit/audit.js';

/** A data table with its name and the name of its application. */
export interface NamedTable {
  id: string;
  name: string;
  applicationName: string;
}

/**
 * Builds the entry about an operation on many rows, for the audit log of the organization that owns the application.
 */
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
