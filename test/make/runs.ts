import { LANES } from '../../src/workflows/runs/lanes.js';
import type { TestApp } from '../setup/app.js';

/** A lane that no engine owns, whose runs wait. */
export const FREE_LANE = LANES;

/** A requested run that no engine has executed, with its trigger. */
export interface RequestedRun {
  id: string;
  applicationId: string;
  flowId: string;
  flowVersionId: string | null;
  deviceId: string | null;
  payloadId: string | null;
  trigger: any;
}

/** The runs to return. */
type Of = Partial<Pick<RequestedRun, 'applicationId' | 'flowId' | 'deviceId'>>;

/**
 * Adds up the runs of a table, or of the result of SQL, that were inserted by hand, as the statement does that stores
 * finished runs.
 */
export const sumRunsSql = (runs: string): string => `
  INSERT INTO flow_run_deltas (flow_id, until, flow_version_id, runs, failed_runs, paths_completed, paths_failed, wall_time)
  SELECT r.flow_id, date_trunc('minute', r.requested_at + interval '59.999 seconds'), coalesce(r.flow_version_id, ''),
    count(*), count(*) FILTER (WHERE r.paths_failed > 0), sum(r.paths_completed), sum(r.paths_failed), sum(r.wall_time)
  FROM ${runs} r GROUP BY 1, 2, 3`;

/** Returns the requested runs of an application, a workflow or a device, in the order of the requests. */
export function requestedRuns(
  test: TestApp,
  { applicationId, flowId, deviceId }: Of,
): Promise<RequestedRun[]> {
  return test.dataSource.query(
    `SELECT r.id, r.application_id AS "applicationId", r.flow_id AS "flowId", r.flow_version_id AS "flowVersionId",
       r.device_id AS "deviceId", r.payload_id AS "payloadId", coalesce(r.trigger, p.trigger) AS trigger
     FROM run_inbox r LEFT JOIN flow_run_payloads p ON p.id = r.payload_id
     WHERE ($1::text IS NULL OR r.application_id = $1) AND ($2::text IS NULL OR r.flow_id = $2)
       AND ($3::text IS NULL OR r.device_id = $3) ORDER BY r.id`,
    [applicationId, flowId, deviceId],
  );
}

/** Adds runs that wait in `FREE_LANE`, and returns their rows in the order of their numbers. */
export function makeWaitingRuns(
  { dataSource }: TestApp,
  { applicationId, flowId }: Pick<RequestedRun, 'applicationId' | 'flowId'>,
  count = 1,
): Promise<{ id: string; seq: string }[]> {
  return dataSource.query(
    `INSERT INTO run_inbox (lane, id, application_id, flow_id, payload_id, requested_at)
     SELECT ${FREE_LANE}, lpad(n::text, 24, '0'), $1, $2, lpad(n::text, 24, '0'), now()
     FROM generate_series(1, $3::int) n RETURNING *`,
    [applicationId, flowId, count],
  );
}

/** Removes them. */
export const removeWaitingRuns = ({ dataSource }: TestApp): Promise<unknown> =>
  dataSource.query(`DELETE FROM run_inbox WHERE lane = ${FREE_LANE}`);
