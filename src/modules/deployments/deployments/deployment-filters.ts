import { QueryId, QueryText } from '../../../platform/lists/query-fields.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';

/** Filters of deployment lists. */
export class DeploymentFilters {
  @QueryId({ description: 'Returns only deployments of this device.' })
  deviceId?: string;

  @QueryId({ description: 'Returns only deployments with this workflow as desired or current.' })
  flowId?: string;

  @QueryText({
    maxLength: 255,
    description: 'Returns only deployments with this version as desired or current.',
    example: '1.4.0',
  })
  version?: string;
}

/** Parameters of a deployment list. */
export interface DeploymentListParameters extends DeploymentFilters {
  list: ListParameters;
}

/** Returns the filter that selects the index to search by, if any. */
export const searchedBy = ({ deviceId, flowId, version }: DeploymentFilters): string | undefined => {
  if (deviceId !== undefined) return 'deviceId';
  if (flowId !== undefined) return 'flowId';
  return version === undefined ? undefined : 'version';
};
