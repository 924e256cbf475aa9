import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';
import { buttonSql } from './virtual-button.columns.js';

/** Virtual button of a version: names for the audit log, the version's ID, the state of workflow and button, and its payload. */
export interface FoundButton {
  name: string;
  flowClass: FlowClass;
  applicationName: string;
  /** `null` for the development version. */
  flowVersionId: string | null;
  hasVersion: boolean;
  hasButton: boolean;
  isEnabled: boolean;
  /** JSON of the payload of presses without one, as its author wrote it. */
  ownPayload: string | null;
}

const BUTTON = buttonSql({ applicationId: '$1', flowId: '$2', version: '$3', key: '$4' });

/** Deployed version of a workflow on a device: the one that the device runs, or will run. */
const DEPLOYED = `SELECT coalesce(t.current_version, t.desired_version) AS version, EXISTS (SELECT FROM device_sessions s WHERE s.device_id = $2) AS is_connected
  FROM (SELECT e.device_id, e.flow_id, e.current_version, e.desired_version FROM edge_deployments e WHERE e.deleted_at IS NULL
    UNION ALL SELECT p.device_id, p.flow_id, p.current_version, p.desired_version FROM embedded_deployment_flows p) t
  JOIN devices d ON d.id = t.device_id AND d.application_id = $1 AND d.deleted_at IS NULL
  WHERE t.device_id = $2 AND t.flow_id = $3 AND coalesce(t.current_version, t.desired_version) IS NOT NULL`;

/** A workflow on a device. */
export interface DeployedFlow {
  version: string;
  /** Whether the device is connected over MQTT. */
  isConnected: boolean;
}

/** Reads triggers that are virtual buttons. */
@Injectable()
export class VirtualButtonsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the button with a key in the version with a name, `develop` or `default`. Throws `404` if the workflow does
   * not exist.
   */
  async find(applicationId: string, flowId: string, version: string, key: string): Promise<FoundButton> {
    const [button] = await this.database.rows<FoundButton>(
      prepared(BUTTON, [applicationId, flowId, version, key]),
    );
    if (!button) throw new NotFound('Flow');
    return button;
  }

  /** Returns the version of a workflow that is deployed to a device, or `undefined`. */
  async findDeployed(
    applicationId: string,
    deviceId: string,
    flowId: string,
  ): Promise<DeployedFlow | undefined> {
    const [deployed] = await this.database.rows<DeployedFlow>(
      prepared(DEPLOYED, [applicationId, deviceId, flowId]),
    );
    return deployed;
  }
}
