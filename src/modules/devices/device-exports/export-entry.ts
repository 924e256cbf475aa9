import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Entry } from '../../../platform/audit/audit.js';

/** What an entry names: an application, and a device of it where it is one. */
export interface NamedSubject {
  applicationName: string;
  device?: { id: string; name: string };
}

/** The entry about an export or a removal, in the log of the organization that owns the application. */
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
