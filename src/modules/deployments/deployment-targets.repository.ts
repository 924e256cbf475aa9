import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Transaction } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import { reachSql, selectionSql } from '../devices/device-selection.columns.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import type { DeviceClass } from '../devices/device.schemas.js';
import type { FlowClass } from '../flows/graph/graph.js';
import type { DeploymentKind } from './deployment-change.js';

const APPLICATION = 'SELECT a.name FROM applications a WHERE a.id = $1';
const FLOW = `SELECT f.id, f.name, f.flow_class,
    f.flow_class <> 'customNode' OR coalesce(f.custom_node_supports ? 'edge', false) AS runs_on_devices
  FROM flows f WHERE f.application_id = $1 AND f.id = $2 FOR SHARE`;
const VERSION = 'SELECT FROM flow_versions v WHERE v.flow_id = $1 AND v.version = $2';

/** A workflow that is to be deployed; it stays as it is until the transaction ends, and so do its versions. */
export interface DeployedFlow {
  id: string;
  name: string;
  flowClass: FlowClass;
  /** False of a custom node that does not support the edge. */
  runsOnDevices: boolean;
}

export interface TargetDevice {
  id: string;
  name: string;
  deviceClass: DeviceClass;
}

/** The workflows and devices that requests name. */
@Injectable()
export class DeploymentTargetsRepository {
  /** The workflow, or 404. */
  async flow(applicationId: string, id: string, transaction: Transaction): Promise<DeployedFlow> {
    const [flow] = await transaction.rows<DeployedFlow>(prepared(FLOW, [applicationId, id]));
    if (!flow) throw new NotFound('Flow');
    return flow;
  }

  async hasVersion(flowId: string, version: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(VERSION, [flowId, version]))).length > 0;
  }

  /** The devices of those ids that the caller reaches. */
  devices(application: ApplicationAccess, ids: readonly string[], transaction: Transaction) {
    const values: unknown[] = [application.id, ids];
    const reach = reachSql(application, values);
    const text = `SELECT t.id, t.name, t.device_class FROM devices t
      WHERE t.application_id = $1 AND t.id = ANY ($2::text[]) AND t.deleted_at IS NULL AND ${reach}`;
    return transaction.rows<TargetDevice>({ text, values });
  }

  /** Devices of the class that are selected, at most `most`; in no order, so that nobody looks at more. */
  async some(
    application: ApplicationAccess,
    { deviceClass }: DeploymentKind,
    selection: DeviceSelection,
    most: number,
    transaction: Transaction,
  ): Promise<string[]> {
    const values: unknown[] = [application.id, deviceClass];
    const conditions = [
      't.application_id = $1 AND t.device_class = $2 AND t.deleted_at IS NULL',
      selectionSql(application.id, selection, values),
      reachSql(application, values),
    ];
    const text = `SELECT t.id FROM devices t WHERE ${conditions.join(' AND ')} LIMIT ${most}`;
    return (await transaction.run({ text, values })).map(([id]) => id!);
  }

  /** The name of the application, for a log. */
  async applicationName(id: string, transaction: Transaction): Promise<string> {
    return (await transaction.run(prepared(APPLICATION, [id])))[0]![0]!;
  }
}
