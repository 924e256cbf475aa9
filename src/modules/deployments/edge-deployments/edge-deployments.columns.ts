import { rowCount, type CountedRows } from '../../../platform/counts/count-triggers.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import type { DeploymentRows } from '../deployments/deployment-lists.repository.js';
import { DEVICE_COMPUTED, versionSql } from '../deployments/deployment.columns.js';
import { EDGE_DEPLOYMENT_COUNT, EDGE_DEPLOYMENTS, EdgeDeployment } from './edge-deployment.resource.js';
import type { EdgeDeploymentsQuery } from './edge-deployments.query.js';

/** How edge deployments are read. */
export const EDGE_ROWS: DeploymentRows<EdgeDeployment, EdgeDeploymentsQuery> = {
  table: 'edge_deployments',
  title: EDGE_DEPLOYMENTS.title,
  count: EDGE_DEPLOYMENT_COUNT,
  shape: new RowShape(EdgeDeployment, [
    ...DEVICE_COMPUTED,
    { property: 'flowName', kind: 'text', sql: '(SELECT f.name FROM flows f WHERE f.id = t.flow_id)' },
    { property: 'fileName', kind: 'plain', sql: `t.flow_id || '.flow'` },
  ]),
  conditions: ({ flowId, version, filterEmpty }, values) => {
    const conditions: string[] = [];
    if (flowId !== undefined) conditions.push(`t.flow_id = $${values.push(flowId)}`);
    if (filterEmpty) conditions.push('(t.desired_version IS NOT NULL OR t.current_version IS NOT NULL)');
    if (version !== undefined) conditions.push(versionSql('t', `$${values.push(version)}`));
    return conditions;
  },
};

/** Count of edge deployments of applications. */
export const COUNTED_EDGE_DEPLOYMENTS: readonly CountedRows[] = [
  {
    table: 'edge_deployments',
    holder: 'application_id',
    ofApplications: true,
    amounts: rowCount('edgeDeploymentCount'),
    where: 'r.deleted_at IS NULL',
    updated: true,
  },
];
