import { Injectable } from '@nestjs/common';
import { Database, type Runner } from '../../platform/database/database.js';
import { isoDate, type Row } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { newId } from '../../platform/resource.js';
import type { RunTrigger } from './flow-run.entity.js';
import type { FlowLogQuery, FlowVersionErrorsQuery, FlowVersionStatsQuery } from './flow-runs.query.js';
import { NO_RUNS, stepsOf, windowOf } from './flow-run-window.js';
import { RunScope, type Version } from './run-scope.js';

/** A run that is asked for. */
export interface RequestedRun {
  applicationId: string;
  flowId: string;
  /** The version that is to run; null for the one being developed. */
  flowVersionId: string | null;
  trigger: RunTrigger;
  deviceId?: string;
}

/** Whose runs are told of: a workflow's, or those of one of its versions, known by its id or its name. */
export interface RunsOf {
  applicationId: string;
  flowId: string;
  flowVersionId?: string;
  flowVersion?: string;
}

const INSERT = `INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, trigger, requested_at)
  SELECT r.*, $7 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::json[]) r`;

/** SQL of the workflows `f`, with their version `v`, that run when a trigger fires; `$2` is the trigger in a list. */
const LISTENING = {
  default: `SELECT f.id, v.id FROM flows f LEFT JOIN flow_versions v ON v.id = f.default_version_id
    WHERE f.application_id = $1 AND f.live_triggers @> $2::jsonb AND f.flow_class = 'cloud' AND f.enabled
      AND (f.default_version_id IS NULL OR v.enabled)`,
  develop: `SELECT f.id, NULL FROM flows f
    WHERE f.application_id = $1 AND f.triggers @> $2::jsonb AND f.flow_class = 'cloud' AND f.enabled`,
  named: `SELECT f.id, v.id FROM flow_versions v JOIN flows f ON f.id = v.flow_id
    WHERE v.application_id = $1 AND v.triggers @> $2::jsonb AND v.version = $3 AND v.enabled
      AND f.flow_class = 'cloud' AND f.enabled`,
};

/** Runs of workflows: asked for here, carried out by whoever executes workflows, and told of here. */
@Injectable()
export class FlowRunsService {
  constructor(private readonly database: Database) {}

  /** Asks for runs, all in one statement; returns their ids. */
  async request(runs: readonly RequestedRun[], runner: Runner = this.database): Promise<string[]> {
    if (runs.length === 0) return [];
    const now = new Date();
    const ids = runs.map(() => newId());
    const columns = [
      ids,
      runs.map((run) => run.applicationId),
      runs.map((run) => run.flowId),
      runs.map((run) => run.flowVersionId),
      runs.map((run) => run.deviceId ?? null),
      runs.map((run) => JSON.stringify(run.trigger)),
    ];
    await runner.run(prepared(INSERT, [...columns, now]));
    return ids;
  }

  /**
   * Asks for a run of every cloud workflow of the application that listens to the trigger: in the version that runs, or in
   * the one that is named, where there is such a one. Returns the ids of the runs.
   */
  async fire(applicationId: string, trigger: RunTrigger, version = 'default'): Promise<string[]> {
    const { type, key } = trigger;
    const named = version !== 'default' && version !== 'develop';
    const text = named ? LISTENING.named : LISTENING[version as keyof typeof LISTENING];
    const values = [applicationId, JSON.stringify([{ type, key }]), ...(named ? [version] : [])];
    const listening = await this.database.run(prepared(text, values));
    return this.request(
      listening.map(([flowId, flowVersionId]) => ({
        applicationId,
        flowId: flowId!,
        flowVersionId: flowVersionId ?? null,
        trigger,
      })),
    );
  }

  /** Runs, newest first. */
  async log(of: RunsOf, { limit, since }: FlowLogQuery): Promise<object[]> {
    const { scope } = await this.scopeOf(of);
    if (since) scope.where('r.requested_at > ?', since);
    const rows = await this.database.run(
      scope.statement(
        `SELECT r.requested_at, r.flow_version_id, r.paths_completed, r.paths_failed, r.wall_time, r.errors FROM flow_runs r`,
        `ORDER BY r.requested_at DESC, r.id DESC LIMIT ${scope.bind(limit)}`,
      ),
    );
    return rows.map(([time, flowVersionId, completed, failed, wallTime, errors]) => ({
      time: isoDate(time!),
      flowVersionId: flowVersionId ?? 'develop',
      ...counts(['1', completed!, failed!, wallTime!]),
      errors: JSON.parse(errors!) as unknown,
    }));
  }

  /** Runs counted in steps of time, those without any among them. */
  async stats(of: RunsOf, query: FlowVersionStatsQuery): Promise<object> {
    const { resolution, deviceId } = query;
    const { start, end, steps } = stepsOf(query);
    const { scope, version } = await this.scopeOf(of);
    narrow(scope, { start, end, deviceId });
    const from = scope.bind(start);
    const rows = await this.database.run(
      scope.statement(
        `SELECT ceil(extract(epoch FROM r.requested_at - ${from}::timestamptz) * 1000 / ${scope.bind(resolution)}::numeric) - 1,
           count(*), sum(r.paths_completed), sum(r.paths_failed), sum(r.wall_time) FROM flow_runs r`,
        'GROUP BY 1',
      ),
    );
    const found = new Map(rows.map(([step, ...sums]) => [Number(step), counts(sums)]));
    const metrics = steps.map((time, step) => ({ time, ...(found.get(step) ?? NO_RUNS) }));
    return { start, end, resolution, ...version, deviceId, metrics };
  }

  /** The errors that ended paths of the runs of a time. */
  async errors(of: RunsOf, query: FlowVersionErrorsQuery): Promise<object> {
    const { limit, sortDirection, deviceId } = query;
    const { scope, version } = await this.scopeOf(of);
    const { start, end } = windowOf(query);
    narrow(scope, { start, end, deviceId });
    scope.where(`r.errors <> '[]'`);
    const rows = await this.database.run(
      scope.statement(
        `SELECT e.value, r.device_id, r.flow_version_id, CASE WHEN r.flow_version_id IS NULL THEN 'develop' ELSE v.version END
         FROM flow_runs r CROSS JOIN jsonb_array_elements(r.errors) e LEFT JOIN flow_versions v ON v.id = r.flow_version_id`,
        `ORDER BY (e.value->>'time')::timestamptz ${sortDirection}, r.id ${sortDirection} LIMIT ${scope.bind(limit)}`,
      ),
    );
    const errors = rows.map(([error, device, flowVersionId, flowVersion]) => ({
      ...(JSON.parse(error!) as object),
      deviceId: device,
      flowVersionId,
      flowVersion,
    }));
    return { start, end, limit, sortDirection, ...version, deviceId, errors };
  }

  /** The runs that are meant, and the version, where it is those of one. */
  private async scopeOf({
    applicationId,
    flowId,
    flowVersionId,
    flowVersion,
  }: RunsOf): Promise<{ scope: RunScope; version?: Version }> {
    const [row] = await this.database.run(
      prepared(
        `SELECT v.id, v.version FROM flows f LEFT JOIN flow_versions v ON v.flow_id = f.id AND (v.id = $3 OR v.version = $4)
         WHERE f.application_id = $1 AND f.id = $2`,
        [applicationId, flowId, flowVersionId ?? null, flowVersion ?? null],
      ),
    );
    if (!row) throw new NotFound('Flow');
    const version = versionOf(row, flowVersion);
    if (flowVersionId !== undefined && !version) throw new NotFound('Flow version');
    if (flowVersion !== undefined && !version)
      throw new ValidationError('flowVersion is not a version of the workflow');
    return { scope: new RunScope(flowId, version), version };
  }
}

function versionOf([id, name]: Row, asked: string | undefined): Version | undefined {
  if (id && name) return { flowVersionId: id, flowVersion: name };
  return asked === 'develop' ? { flowVersion: 'develop' } : undefined;
}

/** Leaves the runs of a time, and of those the ones that were about a device. */
function narrow(
  scope: RunScope,
  { start, end, deviceId }: { start: Date; end: Date; deviceId: string | undefined },
): void {
  scope.where('r.requested_at > ?', start);
  scope.where('r.requested_at <= ?', end);
  if (deviceId !== undefined) scope.where('r.device_id = ?', deviceId);
}

function counts([runCount, pathsCompleted, pathsFailed, wallTime]: Row) {
  return {
    runCount: Number(runCount),
    pathsCompleted: Number(pathsCompleted),
    pathsFailed: Number(pathsFailed),
    wallTime: Number(wallTime),
  };
}
