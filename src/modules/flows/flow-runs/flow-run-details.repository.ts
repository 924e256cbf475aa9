import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../lib/errors/errors.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { RunTrigger } from '../../../workflows/runs/run-trigger.js';
import type { StoredTrace } from './flow-run-trace.entity.js';
import type { FlowRun } from './flow-run.entity.js';
import type { FlowRunsQuery } from './flow-runs.query.js';

/** Finished run, as stored. */
export interface ListedRun extends Omit<FlowRun, 'applicationId' | 'payloadId' | 'reportedRuns' | 'trigger'> {
  hasTrace: boolean;
}

/** A run with its trigger, or `null` if that has expired. */
export interface FoundRun extends ListedRun {
  trigger: RunTrigger | null;
}

/** A run, and whether it can be repeated. */
export interface ReplayableRun {
  name: string;
  applicationName: string;
  flowVersionId: string | null;
  deviceId: string | null;
  requestedAt: Date;
  hasVersion: boolean;
  isEnabled: boolean;
  trigger: RunTrigger | null;
}

const COLUMNS = `r.id, r.flow_id, r.flow_version_id, r.device_id, r.requested_at, r.finished_at, r.paths_completed,
    r.paths_failed, r.wall_time, r.errors, EXISTS (SELECT FROM flow_run_traces t WHERE t.id = r.id) AS has_trace`;
const listOf = (where: string) => `SELECT ${COLUMNS} FROM flow_runs r
  WHERE r.flow_id = $1 AND r.requested_at < $2 AND r.reported_runs IS NULL${where} ORDER BY r.requested_at DESC, r.id DESC LIMIT $3`;
const LIST = listOf('');
const FAILED = listOf(` AND r.errors <> '[]'`);
const OF_FLOW = 'WHERE r.application_id = $1 AND r.flow_id = $2 AND r.id = $3 AND r.reported_runs IS NULL';
/** Small triggers are stored with the run. */
const TRIGGER = 'coalesce(r.trigger, p.trigger) AS trigger';
const ONE = `SELECT ${COLUMNS}, ${TRIGGER} FROM flow_runs r
  LEFT JOIN flow_run_payloads p ON p.id = r.payload_id ${OF_FLOW}`;
const TRACE = `SELECT t.trace FROM flow_run_traces t WHERE t.application_id = $1 AND t.flow_id = $2 AND t.id = $3`;
const REPLAYABLE = `SELECT f.name, a.name AS application_name, r.flow_version_id, r.device_id, r.requested_at,
    r.flow_version_id IS NULL OR v.id IS NOT NULL AS has_version,
    f.enabled AND coalesce(v.enabled, true) AS is_enabled, ${TRIGGER}
  FROM flow_runs r JOIN flows f ON f.id = r.flow_id JOIN applications a ON a.id = r.application_id
  LEFT JOIN flow_versions v ON v.id = r.flow_version_id
  LEFT JOIN flow_run_payloads p ON p.id = r.payload_id ${OF_FLOW}`;

/** Reads single runs of workflows. Runs that edge devices report are only known as numbers. */
@Injectable()
export class FlowRunDetailsRepository {
  constructor(private readonly database: Database) {}

  /** Returns runs of an existing workflow, newest first. */
  list(flowId: string, { limit, before, failed }: FlowRunsQuery): Promise<ListedRun[]> {
    const values = [flowId, before ?? 'infinity', limit];
    return this.database.rows({ ...prepared(failed ? FAILED : LIST, values), sizedBy: 'limit' });
  }

  /** Throws `404` if the workflow does not have the run. */
  find(applicationId: string, flowId: string, id: string): Promise<FoundRun> {
    return this.one<FoundRun>(ONE, [applicationId, flowId, id], 'Flow run');
  }

  /** Throws `404` if the run has no trace. */
  async trace(applicationId: string, flowId: string, id: string): Promise<StoredTrace> {
    return (await this.one<{ trace: StoredTrace }>(TRACE, [applicationId, flowId, id], 'Flow run trace'))
      .trace;
  }

  /** Throws `404` if the workflow does not have the run. */
  replayable(applicationId: string, flowId: string, id: string): Promise<ReplayableRun> {
    return this.one<ReplayableRun>(REPLAYABLE, [applicationId, flowId, id], 'Flow run');
  }

  private async one<T extends object>(text: string, values: unknown[], title: string): Promise<T> {
    const [row] = await this.database.rows<T>(prepared(text, values));
    if (!row) throw new NotFound(title);
    return row;
  }
}
