import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { isFreeFlowSql, runsHereSql } from '../../../workflows/runs/free-flow.columns.js';
import { timerSpecOf, type TimerSpec } from '../../../workflows/triggers/timer-times.js';

/** A timer that is due. */
export interface DueSchedule {
  /** Position of the row, valid while the transaction holds its lock. */
  place: string;
  applicationId: string;
  flowId: string;
  flowVersionId: string | null;
  key: string;
  /** Time at which it is due; of a new schedule, the time at which it was created. */
  dueAt: Date;
  /** Times of the timers with this key. */
  specs: TimerSpec[];
  /** Whether the schedule has just been created, so that only its first time is due to be found. */
  isNew: boolean;
}

/** Maximum number of schedules per transaction. */
const MAX_DUE = 500;

/**
 * Locked workflows wait for the next look, because all others would wait for them too. The configuration of a new schedule
 * is read from its workflow, which may be large, once. A workflow that runs on devices has no times here.
 */
const TAKE = `WITH due AS MATERIALIZED (
    SELECT s.ctid::text AS place, s.* FROM flow_schedules s WHERE s.due_at <= $1 AND ${isFreeFlowSql('s.flow_id')}
    ORDER BY s.due_at LIMIT ${MAX_DUE} FOR UPDATE SKIP LOCKED)
  SELECT d.place, d.application_id, d.flow_id, d.flow_version_id, d.key, d.due_at, d.specs IS NULL AS is_new,
    coalesce(d.specs, found.specs) AS specs
  FROM due d LEFT JOIN LATERAL (
    SELECT coalesce(jsonb_agg(coalesce(t.config, '{}')), '[]') AS specs FROM flows f LEFT JOIN flow_versions v ON v.id = d.flow_version_id
    CROSS JOIN LATERAL jsonb_to_recordset(CASE WHEN d.flow_version_id IS NULL THEN f.triggers ELSE v.triggers END)
      t (type text, key text, config jsonb)
    WHERE f.id = d.flow_id AND ${runsHereSql('f.flow_class')} AND t.type = 'timer' AND t.key = d.key OFFSET 0) found ON d.specs IS NULL`;
/** A schedule without another time is due in the infinite future. */
const MOVE = `UPDATE flow_schedules s SET due_at = coalesce(m.due_at, 'infinity'), specs = m.specs
  FROM unnest($1::tid[], $2::timestamptz[], $3::jsonb[]) m (place, due_at, specs) WHERE s.ctid = m.place`;

/** Stores when timers are due next. PostgreSQL adds and removes the rows with the triggers of workflows. */
@Injectable()
export class FlowSchedulesRepository {
  /** Returns timers that are due, and locks them. Those that another transaction has locked are left out. */
  async take(now: Date, transaction: Transaction): Promise<DueSchedule[]> {
    const due = await transaction.rows<Omit<DueSchedule, 'specs'> & { specs: unknown[] }>(
      prepared(TAKE, [now]),
    );
    return due.map((one) => Object.assign({}, one, { specs: one.specs.map(timerSpecOf) }));
  }

  /** Stores the next time of each timer, or that it has no other. */
  async move(
    moved: readonly { due: DueSchedule; next: Date | undefined }[],
    transaction: Transaction,
  ): Promise<void> {
    const values = [
      moved.map(({ due }) => due.place),
      moved.map(({ next }) => next ?? null),
      moved.map(({ due }) => JSON.stringify(due.specs)),
    ];
    await transaction.run(prepared(MOVE, values));
  }
}
