import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { loggedSql, CURRENT_TIMESTAMP } from '../deployments/deployment.columns.js';
import type { FlowReport } from './edge-agent.messages.js';

/** A workflow that a device runs, or no longer runs if it has no version. */
export type CurrentFlow = Pick<FlowReport, 'flowId' | 'version' | 'etag'>;

/** Status message of the agent of an edge compute device. */
export interface EdgeHello {
  agentVersion: string;
  /** All workflows that the agent runs, with the deployed version and ETag. */
  flows: readonly CurrentFlow[];
}

const LOCK = `SELECT t.id FROM edge_deployments t WHERE t.application_id = $1 AND t.device_id = $2 AND t.deleted_at IS NULL
  ORDER BY t.flow_id FOR NO KEY UPDATE`;
const AGENT = `UPDATE devices t SET edge_agent_version = $3 WHERE t.application_id = $1 AND t.id = $2
  AND t.deleted_at IS NULL AND t.edge_agent_version IS DISTINCT FROM $3`;
/** With `$4`, workflows that are not listed no longer run; otherwise they are left as they are. */
const RUN = `UPDATE edge_deployments t SET last_updated = now(), current_version = n.version, current_etag = n.etag,
    logs = ${loggedSql(
      `jsonb_build_object('changeType', 'current', 'date', ${CURRENT_TIMESTAMP}, 'sourceType', 'device', 'sourceId', $2::text,
        'previousValue', t.current_version, 'newValue', n.version)
        || jsonb_strip_nulls(jsonb_build_object('previousEtag', t.current_etag, 'newEtag', n.etag))`,
      't.logs',
    )}
  FROM (SELECT d.id, r.version, r.etag FROM edge_deployments d
    LEFT JOIN jsonb_to_recordset($3::jsonb) r ("flowId" text, version text, etag text) ON r."flowId" = d.flow_id
    WHERE d.application_id = $1 AND d.device_id = $2 AND d.deleted_at IS NULL AND ($4 OR r."flowId" IS NOT NULL)) n
  WHERE t.id = n.id AND (t.current_version, t.current_etag) IS DISTINCT FROM (n.version, n.etag)`;
const FAILED = `UPDATE edge_deployments t SET last_updated = now(),
    logs = ${loggedSql(
      `jsonb_build_object('changeType', 'current', 'date', ${CURRENT_TIMESTAMP}, 'sourceType', 'device', 'sourceId', $2::text,
        'attemptedValue', coalesce($5::text, t.desired_version), 'error', $4::text)
        || jsonb_strip_nulls(jsonb_build_object('attemptedEtag', coalesce($6::text, t.desired_etag)))`,
      't.logs',
    )}
  WHERE t.application_id = $1 AND t.device_id = $2 AND t.flow_id = $3 AND t.deleted_at IS NULL`;
/** Deployments of deleted workflows are kept only as long as the device runs them. */
const DELETE_GONE = `DELETE FROM edge_deployments t WHERE t.application_id = $1 AND t.device_id = $2
  AND t.desired_version IS NULL AND t.current_version IS NULL AND NOT EXISTS (SELECT FROM flows f WHERE f.id = t.flow_id)`;

/** Records reports of the agents of edge compute devices. */
@Injectable()
export class EdgeAgentsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the agent version and the complete list of running workflows; workflows not listed are no longer running.
   */
  hello(applicationId: string, deviceId: string, { agentVersion, flows }: EdgeHello): Promise<void> {
    return this.database.transaction(async (transaction) => {
      // Locks the device before its deployments, as all transactions do.
      await transaction.run(prepared(AGENT, [applicationId, deviceId, agentVersion]));
      await this.run(applicationId, deviceId, flows, true, transaction);
    });
  }

  /** Records what a device says about some of its workflows. */
  report(applicationId: string, deviceId: string, reports: readonly FlowReport[]): Promise<void> {
    return this.database.transaction(async (transaction) => {
      // The last report of a workflow counts.
      const running = new Map(
        reports.flatMap((report) => (report.error === undefined ? [[report.flowId, report]] : [])),
      );
      await this.run(applicationId, deviceId, [...running.values()], false, transaction);
      for (const report of reports)
        if (report.error !== undefined) await this.fail(applicationId, deviceId, report, transaction);
    });
  }

  private async run(
    applicationId: string,
    deviceId: string,
    flows: readonly CurrentFlow[],
    isComplete: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const of = [applicationId, deviceId];
    await transaction.run(prepared(LOCK, of));
    await transaction.run(prepared(RUN, [...of, JSON.stringify(flows), isComplete]));
    await transaction.run(prepared(DELETE_GONE, of));
  }

  /** Records the reason why a device does not run the desired version of a workflow. */
  private async fail(
    applicationId: string,
    deviceId: string,
    { flowId, error, version, etag }: FlowReport,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.run(prepared(FAILED, [applicationId, deviceId, flowId, error, version, etag]));
  }
}
