import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Entry } from '../../../platform/audit/audit.js';

/** Subject of an audit log entry: an application and, if any, its device. */
export interface NamedSubject {
  applicationName: string;
  device?: { id: string; name: string };
}

/** Returns the audit log entry of an export or a deletion, for the organization that owns the application. */
export function exportEntry(
  { id, ownerId, ownerType }: ApplicationAccess,
  { applicationName, device }: NamedSubject,
): Entry {
  if (ownerType === 'user') return {};
  return {
    organization: {
      id: ownerId,
      primary: { type: 'Application', id, name: applicationName },
      ...(device ? { secondary: { type: 'Device', ...device } } : {}),
    },
    response: { id: device?.id ?? id },
  };
}
