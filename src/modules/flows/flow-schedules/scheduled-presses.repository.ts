import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { isFreeFlowSql } from '../../../workflows/runs/free-flow.columns.js';
import { buttonSql } from '../flow-runs/virtual-button.columns.js';

/** A press of a virtual button in the future. */
export interface ScheduledPress {
  applicationId: string;
  /** Unique in the application. */
  runId: string;
  /** Workflow that has scheduled the press. */
  byFlowId: string;
  flowId: string;
  /** Name of a version, `develop` or `default`. */
  version: string;
  key: string;
  /** JSON; empty for the payload of the button. */
  payload: string;
  dueAt: Date;
}

/** A press that is due, with the version of its button. */
export interface DuePress extends ScheduledPress {
  /** `null` for the development version. */
  flowVersionId: string | null;
  /** Whether the button exists, and its workflow and version are enabled. */
  canRun: boolean;
  /** JSON of the payload of the button. */
  ownPayload: string | null;
}

/** Maximum number of presses in the future per application. */
export const MAX_PRESSES = 1_000;
/** Maximum number of presses per transaction. */
const MAX_DUE = 100;

const SCHEDULE = `INSERT INTO scheduled_presses (application_id, run_id, by_flow_id, flow_id, version, key, payload, due_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE ${MAX_PRESSES} > (SELECT count(*) FROM (
    SELECT FROM scheduled_presses s WHERE s.application_id = $1 AND s.run_id <> $2 LIMIT ${MAX_PRESSES}) others)
  ON CONFLICT (application_id, run_id) DO UPDATE SET by_flow_id = $3, flow_id = $4, version = $5, key = $6, payload = $7, due_at = $8
  RETURNING 1`;
const CANCEL = 'DELETE FROM scheduled_presses s WHERE s.application_id = $1 AND s.run_id = $2';

const FOUND = buttonSql({
  applicationId: 'd.application_id',
  flowId: 'd.flow_id',
  version: 'd.version',
  key: 'd.key',
});
/** Presses of locked workflows wait for the next look, because all others would wait for them too. */
const TAKE = `WITH due AS MATERIALIZED (
    SELECT s.ctid AS place, s.* FROM scheduled_presses s WHERE s.due_at <= $1 AND ${isFreeFlowSql('s.flow_id')}
    ORDER BY s.due_at LIMIT ${MAX_DUE} FOR UPDATE SKIP LOCKED),
  gone AS (DELETE FROM scheduled_presses s USING due d WHERE s.ctid = d.place)
  SELECT d.application_id, d.run_id, d.by_flow_id, d.flow_id, d.version, d.key, d.payload, d.due_at, found.flow_version_id, found.own_payload,
    coalesce(found.has_version AND found.has_button AND found.is_enabled, false) AS can_run
  FROM due d LEFT JOIN LATERAL (${FOUND} OFFSET 0) found ON true ORDER BY d.due_at`;

/** Stores presses of virtual buttons in the future. */
@Injectable()
export class ScheduledPressesRepository {
  constructor(private readonly database: Database) {}

  /** Stores a press, or replaces the one with the same run ID. Returns `false` if the application has too many. */
  async schedule({
    applicationId,
    runId,
    byFlowId,
    flowId,
    version,
    key,
    payload,
    dueAt,
  }: ScheduledPress): Promise<boolean> {
    const values = [applicationId, runId, byFlowId, flowId, version, key, payload, dueAt];
    return (await this.database.run(prepared(SCHEDULE, values))).length > 0;
  }

  async cancel(applicationId: string, runId: string): Promise<void> {
    await this.database.run(prepared(CANCEL, [applicationId, runId]));
  }

  /** Removes presses that are due, and returns them. Those that another transaction has locked are left out. */
  take(now: Date, transaction: Transaction): Promise<DuePress[]> {
    return transaction.rows<DuePress>(prepared(TAKE, [now]));
  }
}
