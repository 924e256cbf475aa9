import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { newId } from '../../platform/repositories/resource.js';
import { runMinuteSql } from './run-minute.columns.js';

/** Runs of a version of a workflow that an edge device has counted, or their errors. */
export interface ReportedRuns {
  readonly flowId: string;
  /** Name of the version. */
  readonly flowVersion: string;
  readonly runs: number;
  readonly failedRuns: number;
  readonly pathsCompleted: number;
  readonly pathsFailed: number;
  /** Milliseconds. */
  readonly wallTime: number;
  readonly errors: readonly object[];
}

/** The lock on workflows prevents that the runs of a deleted one remain. */
const STORE = `WITH found AS MATERIALIZED (
    SELECT r.*, v.id AS version_id FROM jsonb_to_recordset($3::jsonb) r (id text, "flowId" text, "flowVersion" text, runs int,
      "failedRuns" int, "pathsCompleted" int, "pathsFailed" int, "wallTime" int, errors jsonb)
    JOIN LATERAL (SELECT FROM flows f WHERE f.id = r."flowId" AND f.application_id = $1 AND f.flow_class = 'edge'
      OFFSET 0 FOR KEY SHARE) f ON true
    LEFT JOIN LATERAL (SELECT v.id FROM flow_versions v WHERE v.flow_id = r."flowId" AND v.version = r."flowVersion"
      OFFSET 0) v ON true
    WHERE v.id IS NOT NULL OR r."flowVersion" = 'develop'),
  stored AS (
    INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, requested_at, finished_at,
      paths_completed, paths_failed, wall_time, errors, reported_runs)
    SELECT f.id, $1, f."flowId", f.version_id, $2, now(), now(), f."pathsCompleted", f."pathsFailed", f."wallTime",
      f.errors, f.runs FROM found f)
  INSERT INTO flow_run_deltas (flow_id, until, flow_version_id, runs, failed_runs, paths_completed, paths_failed, wall_time)
  SELECT f."flowId", ${runMinuteSql('now()')}, coalesce(f.version_id, ''), f.runs, f."failedRuns", f."pathsCompleted",
    f."pathsFailed", f."wallTime" FROM found f WHERE f.runs > 0`;

/** Stores runs of workflows on edge devices, which devices count themselves. */
@Injectable()
export class ReportedRunsRepository {
  constructor(private readonly database: Database) {}

  /** Stores runs with the current time. Leaves out workflows and versions that the application does not have. */
  async store(applicationId: string, deviceId: string, reported: readonly ReportedRuns[]): Promise<void> {
    const rows = JSON.stringify(reported.map((runs) => ({ id: newId(), ...runs })));
    await this.database.run(prepared(STORE, [applicationId, deviceId, rows]));
  }
}
