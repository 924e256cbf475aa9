import { Injectable } from '@nestjs/common';
import { aggregateDeltas, takenSql } from '../../../platform/counts/aggregate-deltas.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { VERSION_CONDITIONS, versionsOf, type RunScope, type VersionSelection } from './flow-run.columns.js';
import { partsOfMinutes, type RunCounts, type RunSteps } from './flow-run-window.js';

const LOCK = 7_311_954;

const SUMS = 'runs, failed_runs, paths_completed, paths_failed, wall_time, dropped_runs';
const sumsOf = (row: string) =>
  SUMS.split(', ')
    .map((sum) => `sum(${row}.${sum}) AS ${sum}`)
    .join(', ');

/** Discards the deltas of deleted workflows. Locks the remaining workflows until their sums are stored. */
const AGGREGATE = `WITH ${takenSql('flow_run_deltas')},
  summed AS (SELECT d.flow_id, s.minutes, s.until, d.flow_version_id, ${sumsOf('d')}
    FROM taken d, LATERAL (VALUES (1, d.until),
      (60, date_trunc('hour', d.until + interval '59 minutes', 'UTC'))) s (minutes, until)
    GROUP BY 1, 2, 3, 4),
  added AS (INSERT INTO flow_run_sums AS k (application_id, flow_id, minutes, until, flow_version_id, ${SUMS})
    SELECT f.application_id, s.* FROM summed s JOIN LATERAL (
      SELECT f.application_id FROM flows f WHERE f.id = s.flow_id OFFSET 0 FOR KEY SHARE) f ON true
    ON CONFLICT (flow_id, minutes, until, flow_version_id) DO UPDATE SET ${SUMS.split(', ')
      .map((sum) => `${sum} = k.${sum} + excluded.${sum}`)
      .join(', ')})
  SELECT count(*) AS deltas FROM taken`;

const TOTALS = `p.step, sum(p.runs) AS run_count, sum(p.paths_completed) AS paths_completed,
  sum(p.paths_failed) AS paths_failed, sum(p.wall_time) AS wall_time`;
/** Returns SQL of the whole milliseconds between the start, `$2`, and a time. */
const since = (time: string) => `round(extract(epoch FROM ${time} - $2::timestamptz) * 1000)::bigint`;
const step = (milliseconds: string) => `(${milliseconds} - 1) / $4`;

/** Returns SQL of the sums of minutes, from the stored sums and the pending deltas. `named` is the ID of a version. */
const minutesOf = (versions: VersionSelection, named: string) => {
  const version = {
    all: '',
    develop: ` AND s.flow_version_id = ''`,
    named: ` AND s.flow_version_id = ${named}`,
  };
  const minutes = (table: string, more: string) => `SELECT s.until, ${SUMS} FROM ${table} s
    WHERE s.flow_id = $1${more}${version[versions]} AND s.until > $2 AND s.until <= $3`;
  return `${minutes('flow_run_sums', ' AND s.minutes = 1')} UNION ALL ${minutes('flow_run_deltas', '')}`;
};

/**
 * Minutes that lie within one step are read from the sums and the pending deltas. For other minutes, `$5` to `$6`, the
 * runs are read, by index.
 */
const stepsOf = (versions: VersionSelection) => `SELECT ${TOTALS} FROM (
      SELECT ${step('m.ms')} AS step, m.runs, m.paths_completed, m.paths_failed, m.wall_time
      FROM (SELECT ${since('s.until')} AS ms, s.* FROM (
        ${minutesOf(versions, '$7')}) s) m
      WHERE m.ms >= 60000 AND (m.ms - 60000) / $4 = ${step('m.ms')}
      UNION ALL
      SELECT ${step(since('r.requested_at'))}, coalesce(r.reported_runs, 1), r.paths_completed, r.paths_failed, r.wall_time
      FROM unnest($5::timestamptz[], $6::timestamptz[]) part (after, until) JOIN LATERAL (
        SELECT * FROM flow_runs r WHERE r.flow_id = $1${VERSION_CONDITIONS[versions]('r', '$7')}
          AND r.requested_at > part.after AND r.requested_at <= part.until OFFSET 0) r ON true) p GROUP BY p.step`;
const STEPS = { all: stepsOf('all'), develop: stepsOf('develop'), named: stepsOf('named') };

/** Runs are not aggregated per device; they are read by an index that starts with workflow and device. */
const deviceStepsOf = (versions: VersionSelection) => `SELECT ${TOTALS} FROM (
    SELECT ${step(since('r.requested_at'))} AS step, coalesce(r.reported_runs, 1) AS runs, r.paths_completed, r.paths_failed, r.wall_time
    FROM flow_runs r WHERE r.flow_id = $1 AND r.device_id = $5 AND r.requested_at > $2 AND r.requested_at <= $3
      ${VERSION_CONDITIONS[versions]('r', '$6')}) p GROUP BY p.step`;
const DEVICE_STEPS = {
  all: deviceStepsOf('all'),
  develop: deviceStepsOf('develop'),
  named: deviceStepsOf('named'),
};

/** Dropped runs are only known by minute, and belong to the step in which it ends. */
const droppedStepsOf = (versions: VersionSelection) => `
  SELECT ${step(since('s.until'))} AS step, sum(s.dropped_runs) AS runs_dropped
  FROM (${minutesOf(versions, '$5')}) s WHERE s.dropped_runs > 0 GROUP BY 1`;
const DROPPED_STEPS = {
  all: droppedStepsOf('all'),
  develop: droppedStepsOf('develop'),
  named: droppedStepsOf('named'),
};

/** Run counts of a step, numbered from 0. */
export interface CountedStep extends RunCounts {
  step: number;
}

/** Stores the sums of runs. */
@Injectable()
export class FlowRunSumsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the steps that contain runs. */
  steps(scope: RunScope, time: RunSteps): Promise<CountedStep[]> {
    const { versions, values } = versionsOf(scope);
    const { start, end, resolution, deviceId } = time;
    const common = [scope.flowId, start, end, resolution];
    if (deviceId !== undefined)
      return this.database.rows(prepared(DEVICE_STEPS[versions], [...common, deviceId, ...values]));
    const parts = partsOfMinutes(time);
    const ranges = [parts.map((part) => part.start), parts.map((part) => part.end)];
    return this.database.rows(prepared(STEPS[versions], [...common, ...ranges, ...values]));
  }

  /** Returns the steps with dropped runs. */
  droppedSteps(scope: RunScope, time: RunSteps): Promise<{ step: number; runsDropped: number }[]> {
    const { versions, values } = versionsOf(scope);
    const { start, end, resolution } = time;
    return this.database.rows(
      prepared(DROPPED_STEPS[versions], [scope.flowId, start, end, resolution, ...values]),
    );
  }

  /** Aggregates a batch of deltas in one worker at a time. Returns whether more may be pending. */
  aggregate(): Promise<boolean> {
    return aggregateDeltas(this.database, LOCK, AGGREGATE);
  }
}
