import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { reachSql, taggedSql } from '../../devices/devices/device-selection.columns.js';
import type { DeviceClass, TagFilter } from '../../devices/devices/device.schemas.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';
import type { DeploymentKind } from './deployment-change.js';

/** Maximum number of tag rows that a request examines. */
const MAX_EXAMINED_TAGS = 10_000;
const APPLICATION = 'SELECT a.name FROM applications a WHERE a.id = $1';
const FLOW = `SELECT f.id, f.name, f.flow_class,
    f.flow_class <> 'customNode' OR coalesce(f.custom_node_supports ? 'edge', false) AS runs_on_devices
  FROM flows f WHERE f.application_id = $1 AND f.id = $2 FOR SHARE`;
const VERSION = 'SELECT FROM flow_versions v WHERE v.flow_id = $1 AND v.version = $2';

/** Workflow to deploy, locked with its versions until the transaction ends. */
export interface DeployedFlow {
  id: string;
  name: string;
  flowClass: FlowClass;
  /** `false` for a custom node that does not support edge. */
  runsOnDevices: boolean;
}

export interface TargetDevice {
  id: string;
  name: string;
  deviceClass: DeviceClass;
}

/** Reads the workflows and devices of deployment requests. */
@Injectable()
export class DeploymentTargetsRepository {
  /** Returns the workflow. Throws `404` if it does not exist. */
  async flow(applicationId: string, id: string, transaction: Transaction): Promise<DeployedFlow> {
    const [flow] = await transaction.rows<DeployedFlow>(prepared(FLOW, [applicationId, id]));
    if (!flow) throw new NotFound('Flow');
    return flow;
  }

  async hasVersion(flowId: string, version: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(VERSION, [flowId, version]))).length > 0;
  }

  /** Returns the devices with these IDs that the caller can access. */
  devices(application: ApplicationAccess, ids: readonly string[], transaction: Transaction) {
    const values: unknown[] = [application.id, ids];
    const reach = reachSql(application, values);
    const text = `SELECT t.id, t.name, t.device_class FROM devices t
      WHERE t.application_id = $1 AND t.id = ANY ($2::text[]) AND t.deleted_at IS NULL AND ${reach}`;
    return transaction.rows<TargetDevice>({ text, values });
  }

  /**
   * Returns devices of the class with any of the tags. Returns `undefined` if there are more than `max`, or if too
   * many devices of other classes have the tags.
   */
  async tagged(
    application: ApplicationAccess,
    { deviceClass }: DeploymentKind,
    tags: readonly TagFilter[],
    max: number,
    transaction: Transaction,
  ): Promise<string[] | undefined> {
    const values: unknown[] = [deviceClass];
    const text = `WITH tagged AS MATERIALIZED (${taggedSql(application.id, tags, values)} LIMIT ${MAX_EXAMINED_TAGS + 1})
      SELECT (SELECT count(*) FROM tagged) AS looked_at, ARRAY(SELECT t.id FROM (SELECT DISTINCT g.device_id FROM tagged g) g
        CROSS JOIN LATERAL (SELECT d.id, d.device_class FROM devices d WHERE d.id = g.device_id AND d.deleted_at IS NULL OFFSET 0) t
        WHERE t.device_class = $1 AND ${reachSql(application, values)} LIMIT ${max + 1}) AS ids`;
    const [found] = await transaction.rows<{ lookedAt: number; ids: string[] }>({ text, values });
    const { lookedAt, ids } = found!;
    return lookedAt > MAX_EXAMINED_TAGS || ids.length > max ? undefined : ids;
  }

  /** Returns the name of the application for the audit log. */
  async applicationName(id: string, transaction: Transaction): Promise<string> {
    return (await transaction.run(prepared(APPLICATION, [id])))[0]![0]!;
  }
}
