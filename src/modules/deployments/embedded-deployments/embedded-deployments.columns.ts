import { rowCount, type CountedRows } from '../../../platform/counts/count-triggers.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import type { DeploymentListParameters } from '../deployments/deployment-filters.js';
import type { DeploymentRows } from '../deployments/deployment-lists.repository.js';
import { DEVICE_COMPUTED, versionSql } from '../deployments/deployment.columns.js';
import {
  EMBEDDED_DEPLOYMENT_COUNT,
  EMBEDDED_DEPLOYMENTS,
  EmbeddedDeployment,
} from './embedded-deployment.resource.js';

const FLOWS = `(SELECT coalesce(jsonb_object_agg(p.flow_id, jsonb_build_object('currentVersion', p.current_version,
    'desiredVersion', p.desired_version) || CASE WHEN f.id IS NULL THEN '{}' ELSE jsonb_build_object('flowName', f.name) END), '{}')
  FROM embedded_deployment_flows p LEFT JOIN flows f ON f.id = p.flow_id WHERE p.device_id = t.device_id)`;

/** How embedded deployments are read. */
export const EMBEDDED_ROWS: DeploymentRows<EmbeddedDeployment> = {
  table: 'embedded_deployments',
  title: EMBEDDED_DEPLOYMENTS.title,
  count: EMBEDDED_DEPLOYMENT_COUNT,
  shape: new RowShape(EmbeddedDeployment, [
    ...DEVICE_COMPUTED,
    { property: 'flows', kind: 'json', sql: FLOWS },
  ]),
  conditions: ({ flowId, version }: DeploymentListParameters, values) => {
    if (flowId === undefined && version === undefined) return [];
    const of = ['p.application_id = $1'];
    if (flowId !== undefined) of.push(`p.flow_id = $${values.push(flowId)}`);
    if (version !== undefined) of.push(versionSql('p', `$${values.push(version)}`));
    return [`t.device_id IN (SELECT p.device_id FROM embedded_deployment_flows p WHERE ${of.join(' AND ')})`];
  },
};

/** Count of embedded deployments of applications. */
export const COUNTED_EMBEDDED_DEPLOYMENTS: readonly CountedRows[] = [
  {
    table: 'embedded_deployments',
    holder: 'application_id',
    ofApplications: true,
    amounts: rowCount('embeddedDeploymentCount'),
    where: 'r.deleted_at IS NULL',
    updated: true,
  },
];
