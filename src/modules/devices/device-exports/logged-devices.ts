import type { LoggedJob } from '../../../platform/jobs/job-definition.js';
import type { SelectedDevices } from './exported-devices.repository.js';

/** What the log of an application shows of a job on devices: which one it is about, where it is one. */
export function loggedDevices(operation: string, { applicationId, selection }: SelectedDevices): LoggedJob {
  const [resourceId, ...others] = selection.deviceIds ?? [];
  const isOne = others.length === 0 && !selection.deviceTags && !selection.deviceQuery;
  return {
    applicationId,
    operation,
    resourceType: 'device',
    ...(isOne && resourceId ? { resourceId } : {}),
  };
}
