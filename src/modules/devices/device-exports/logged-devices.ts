import type { LoggedJob } from '../../../platform/jobs/job-definition.js';
import type { SelectedDevices } from './exported-devices.repository.js';

/**
 * Returns the fields that the application log shows for a job on devices, including the device ID for a single device.
 */
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
