import { QueryId, QueryText } from '../../../platform/lists/query-fields.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';

/** Which deployments a list is of. */
export class DeploymentFilters {
  @QueryId({ description: 'Of this device alone.' })
  deviceId?: string;

  @QueryId({ description: 'Of this workflow alone, whether devices run it or are to run it.' })
  flowId?: string;

  @QueryText({
    maxLength: 255,
    description: 'Those alone of which a device runs this version, or is to run it.',
    example: '1.4.0',
  })
  version?: string;
}

/** What a list of deployments is asked for. */
export interface DeploymentsAsked extends DeploymentFilters {
  list: ListParameters;
}

/** The parameter that a list is searched by, where it is. */
export const searchedBy = ({ deviceId, flowId, version }: DeploymentFilters): string | undefined => {
  if (deviceId !== undefined) return 'deviceId';
  if (flowId !== undefined) return 'flowId';
  return version === undefined ? undefined : 'version';
};
