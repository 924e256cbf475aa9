import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { RunError } from '../../flows/flow-runs/flow-run.entity.js';
import type { RunKey } from '../../../workflows/runs/handover.js';
import { runMinuteSql } from '../../../workflows/runs/run-minute.columns.js';

/** Start of the reading of a lane: after a number. */
export interface LanePosition {
  lane: number;
  after: number;
}

/** Runs of an application in a lane. Many can wait, so only what their turn needs is read: the rest when it comes. */
export interface LaneRuns {
  lane: number;
  applicationId: string;
  /** Numbers of the runs, in their order. */
  seqs: readonly number[];
  /** Times at which they were requested, in milliseconds since 1970. */
  requestedAt: readonly number[];
}

/** A run that has ended. */
export interface EndedRun {
  lane: number;
  seq: number;
  /** Fence of the lane under which the run was executed. */
  fence: number;
  /** Whether to store it as finished; `false` if its workflow or version no longer exists. */
  isStored: boolean;
  pathsCompleted: number;
  pathsFailed: number;
  wallTime: number;
  errors: readonly RunError[];
  /** JSON of the trace, if it is stored. */
  trace?: string;
  /** Whether results of effects are stored, which are no longer needed. */
  hasEffects: boolean;
}

/** Maximum number of runs of a lane that are read at once. */
export const PAGE = 1_000;

interface LaneRunsRow extends Pick<LaneRuns, 'applicationId' | 'lane'> {
  seqs: string;
  requestedAt: string;
}

const READ = `SELECT l.lane, q.application_id, array_agg(q.seq ORDER BY q.seq)::text AS seqs,
    array_agg((extract(epoch FROM q.requested_at) * 1000)::bigint ORDER BY q.seq)::text AS requested_at
  FROM unnest($1::smallint[], $2::bigint[]) l (lane, after) CROSS JOIN LATERAL (
    SELECT * FROM run_inbox q WHERE q.lane = l.lane AND q.seq > l.after ORDER BY q.seq LIMIT ${PAGE}) q
  GROUP BY l.lane, q.application_id`;
const COUNT_ATTEMPTS = `UPDATE run_inbox q SET attempts = attempts + 1
  FROM unnest($1::smallint[], $2::bigint[]) b (lane, seq) WHERE q.lane = b.lane AND q.seq = b.seq`;
/**
 * Deletes only rows of lanes that the engine still owns, so each run is stored as finished at most once. The lock on
 * workflows prevents that the runs of a deleted one remain. Leases are few, so they are read once. Other rows are found
 * by key in subqueries, because the planner takes the inbox for empty, and would otherwise read the whole lane for each
 * run. A row that another engine changes at the same time, because it has claimed the lane, stays in the inbox with its
 * effects.
 */
const finishSql = (hasMore: boolean): string => `WITH found AS MATERIALIZED (
    SELECT q.place, e.is_stored AND f.is_there AS has_ended, e.completed, e.failed, e.run_time, e.faults${
      hasMore ? ', e.trace' : ''
    }
    FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::int[], $6::int[], $7::int[], $8::jsonb[]${
      hasMore ? ', $9::json[]' : ''
    }) e (lane, seq, fence, is_stored, completed, failed, run_time, faults${hasMore ? ', trace' : ''})
    JOIN lane_leases l ON l.lane = e.lane AND l.fence = e.fence
    CROSS JOIN LATERAL (SELECT q.ctid AS place, q.flow_id FROM run_inbox q WHERE q.lane = e.lane AND q.seq = e.seq OFFSET 0) q
    LEFT JOIN LATERAL (SELECT true AS is_there FROM flows f WHERE f.id = q.flow_id OFFSET 0 FOR KEY SHARE) f ON true),
  taken AS (DELETE FROM run_inbox q USING found e WHERE q.ctid = e.place RETURNING q.*, e.*),
  stored AS (
    INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, trigger, payload_id, requested_at, finished_at,
      paths_completed, paths_failed, wall_time, errors)
    SELECT t.id, t.application_id, t.flow_id, t.flow_version_id, t.device_id, t.trigger, t.payload_id, t.requested_at, now(),
      t.completed, t.failed, t.run_time, coalesce(t.faults, '[]')
    FROM taken t WHERE t.has_ended),
  summed AS (
    INSERT INTO flow_run_deltas (flow_id, until, flow_version_id, runs, failed_runs, paths_completed, paths_failed, wall_time)
    SELECT t.flow_id, ${runMinuteSql('t.requested_at')}, coalesce(t.flow_version_id, ''), count(*),
      count(*) FILTER (WHERE t.failed > 0), sum(t.completed), sum(t.failed), sum(t.run_time)
    FROM taken t WHERE t.has_ended GROUP BY 1, 2, 3)${
      hasMore
        ? `,
  traced AS (
    INSERT INTO flow_run_traces (id, application_id, flow_id, trace)
    SELECT t.id, t.application_id, t.flow_id, t.trace FROM taken t WHERE t.has_ended AND t.trace IS NOT NULL),
  effects AS (
    DELETE FROM run_effects x WHERE x.seq = ANY ($10::bigint[]) AND x.seq IN (SELECT t.seq FROM taken t))`
        : ''
    }
  SELECT id FROM taken`;
/** Most runs have neither a trace nor effects; plans of statements without them start faster. */
const FINISH = finishSql(false);
const FINISH_MORE = finishSql(true);

/** Reads requested runs and stores finished ones. */
@Injectable()
@RunsIn('engine')
export class RunInboxRepository {
  constructor(private readonly database: Database) {}

  /** Returns up to a page of runs from each lane, those with the lowest numbers. */
  async read(positions: readonly LanePosition[]): Promise<LaneRuns[]> {
    const values = [positions.map(({ lane }) => lane), positions.map(({ after }) => after)];
    const rows = await this.database.rowsOfMany<LaneRunsRow>(prepared(READ, values));
    return rows.map(({ seqs, requestedAt, ...of }) => ({
      seqs: numbersOf(seqs),
      requestedAt: numbersOf(requestedAt),
      ...of,
    }));
  }

  /** Counts that runs are about to begin. */
  async countAttempts(runs: readonly RunKey[]): Promise<void> {
    const values = [runs.map(({ lane }) => lane), runs.map(({ seq }) => seq)];
    await this.database.write(prepared(COUNT_ATTEMPTS, values));
  }

  /**
   * Removes runs from the inbox and stores them as finished, in one statement. Returns the IDs of those that were still
   * in the inbox, in lanes that this engine owns.
   */
  async finish(
    runs: readonly EndedRun[],
    runner: Pick<Runner, 'run'> = bulk(this.database),
  ): Promise<Set<string>> {
    const column = <K extends keyof EndedRun>(name: K) => runs.map((run) => run[name]);
    const values = [
      column('lane'),
      column('seq'),
      column('fence'),
      column('isStored'),
      column('pathsCompleted'),
      column('pathsFailed'),
      column('wallTime'),
      runs.map(({ errors }) => (errors.length > 0 ? jsonbOf(errors) : null)),
    ];
    const hasMore = runs.some(({ trace, hasEffects }) => trace !== undefined || hasEffects);
    const traces = () => runs.map(({ trace }) => trace ?? null);
    const effects = () => runs.filter(({ hasEffects }) => hasEffects).map(({ seq }) => seq);
    const rows = await runner.run(
      hasMore ? prepared(FINISH_MORE, [...values, traces(), effects()]) : prepared(FINISH, values),
    );
    return new Set(rows.map(([id]) => id!));
  }
}

/** Reads an array of PostgreSQL that has numbers only. */
const numbersOf = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`) as number[];

const bulk = (database: Database): Pick<Runner, 'run'> => ({ run: (statement) => database.write(statement) });

/** `jsonb` accepts neither NUL characters nor lone surrogates, which messages of errors can contain. */
function jsonbOf(errors: readonly RunError[]): string {
  return JSON.stringify(errors, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
}
