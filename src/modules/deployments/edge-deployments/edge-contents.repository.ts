import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { DEVELOP } from '../deployments/deployment-change.js';
import { deviceGlobalsSql } from '../deployments/deployment.columns.js';

/** Version of a workflow that a device is to run. */
export interface DesiredFlow {
  flowId: string;
  version: string;
  etag: string;
}

/** A workflow as a device receives it. */
export interface FlowContent {
  flowId: string;
  json: string;
}

/** Maximum number of peripherals that a gateway knows. */
const MAX_PERIPHERALS = 1_000;

const DESIRED = `SELECT t.flow_id, t.desired_version AS version, t.desired_etag AS etag FROM edge_deployments t
  WHERE t.application_id = $1 AND t.device_id = $2 AND t.deleted_at IS NULL AND t.desired_version IS NOT NULL
    AND t.desired_etag IS NOT NULL ORDER BY t.flow_id`;
const versionOf = (column: string) => `CASE WHEN v.id IS NULL THEN f.${column} ELSE v.${column} END`;
const CONTENTS = `SELECT t.flow_id, json_build_object('flowId', f.id, 'flowName', f.name, 'flowVersion', t.desired_version,
    'etag', t.desired_etag, 'flowClass', f.flow_class, 'enabled', f.enabled AND ${versionOf('enabled')},
    'minimumAgentVersion', ${versionOf('minimum_agent_version')}, 'triggers', ${versionOf('triggers')},
    'nodes', ${versionOf('nodes')}, 'globals', ${versionOf('globals')},
    'customNodeConfig', ${versionOf('custom_node_config')})::text AS json
  FROM edge_deployments t JOIN flows f ON f.id = t.flow_id
  LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.version = t.desired_version
  WHERE t.application_id = $1 AND t.device_id = $2 AND t.flow_id = ANY ($3::text[]) AND t.deleted_at IS NULL
    AND (v.id IS NOT NULL OR t.desired_version = '${DEVELOP}') ORDER BY t.flow_id`;

const APPLICATION = `SELECT json_build_object('id', a.id, 'name', a.name,
    'globals', coalesce(${deviceGlobalsSql('a.globals')}, '[]'))::text FROM applications a WHERE a.id = $1`;
const deviceSql = (row: string) => `json_build_object('id', ${row}.id, 'name', ${row}.name,
    'description', ${row}.description, 'deviceClass', ${row}.device_class, 'gatewayId', ${row}.gateway_id,
    'parentId', ${row}.parent_id, 'creationDate', ${row}.creation_date, 'tags', ${row}.tags, 'attributes', ${row}.attributes)`;
const DEVICE = `SELECT ${deviceSql('t')}::text FROM devices t WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`;
/** The peripherals of the gateway come first, then floating devices, which report through any gateway. */
const PERIPHERALS = `SELECT ${deviceSql('p')}::text FROM (
    (SELECT d.*, 0 AS place FROM devices d WHERE d.application_id = $1 AND d.gateway_id = $2 AND d.deleted_at IS NULL
      ORDER BY d.name, d.id LIMIT ${MAX_PERIPHERALS})
    UNION ALL
    (SELECT d.*, 1 FROM devices d WHERE d.application_id = $1 AND d.device_class = 'floating' AND d.deleted_at IS NULL
      ORDER BY d.name, d.id LIMIT ${MAX_PERIPHERALS})) p
  ORDER BY p.place, p.name, p.id LIMIT ${MAX_PERIPHERALS}`;

/** Reads what gateways receive: workflows, and facts of their application and devices. All are JSON. */
@Injectable()
export class EdgeContentsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the workflows that a device is to run. */
  desired(applicationId: string, deviceId: string): Promise<DesiredFlow[]> {
    return this.database.rows<DesiredFlow>(prepared(DESIRED, [applicationId, deviceId]));
  }

  /** Returns the desired versions of workflows of a device. */
  flows(applicationId: string, deviceId: string, flowIds: readonly string[]): Promise<FlowContent[]> {
    return this.database.rows<FlowContent>(prepared(CONTENTS, [applicationId, deviceId, flowIds]));
  }

  /** Returns the application with the globals that may leave the platform. */
  async application(applicationId: string): Promise<string | undefined> {
    const [row] = await this.database.run(prepared(APPLICATION, [applicationId]));
    return row?.[0] ?? undefined;
  }

  async device(applicationId: string, deviceId: string): Promise<string | undefined> {
    const [row] = await this.database.run(prepared(DEVICE, [applicationId, deviceId]));
    return row?.[0] ?? undefined;
  }

  /** Returns the list of the peripherals of a device, and of floating devices. */
  async peripherals(applicationId: string, deviceId: string): Promise<string> {
    const rows = await this.database.run(prepared(PERIPHERALS, [applicationId, deviceId]));
    return `[${rows.map(([device]) => device!).join(',')}]`;
  }
}
