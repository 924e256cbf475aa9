import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import type { FlowRun, RunError } from './flow-run.entity.js';
import {
  DEVELOP,
  VERSION_CONDITIONS,
  versionsOf,
  type RunScope,
  type VersionSelection,
} from './flow-run.columns.js';
import type { RunWindow } from './flow-run-window.js';

/** Workflow whose runs are returned, optionally restricted to a version by ID or by name. */
export interface RunSelection {
  applicationId: string;
  flowId: string;
  flowVersionId?: string;
  flowVersion?: string;
}

/** Requested version of a workflow; `null` values if it does not exist. */
export interface FoundVersion {
  id: string | null;
  version: string | null;
}

/** Run, or runs that an edge device has reported together, as returned in logs. */
export type LoggedRun = Pick<
  FlowRun,
  'requestedAt' | 'flowVersionId' | 'pathsCompleted' | 'pathsFailed' | 'wallTime' | 'errors'
> & { runCount: number };

/** Error, with the version it occurred in and the device of the run. */
export interface LoggedError {
  error: RunError;
  deviceId: string | null;
  flowVersionId: string | null;
  flowVersion: string | null;
}

const VERSION = `SELECT v.id, v.version FROM flows f
  LEFT JOIN flow_versions v ON v.flow_id = f.id AND (v.id = $3 OR v.version = $4)
  WHERE f.application_id = $1 AND f.id = $2`;

/**
 * Sorts in the order of an index for each kind of scope. A leading column that is constant does not affect the order.
 */
const logOf = (
  versions: VersionSelection,
) => `SELECT r.requested_at, r.flow_version_id, r.paths_completed, r.paths_failed,
    r.wall_time, r.errors, coalesce(r.reported_runs, 1) AS run_count FROM flow_runs r
  WHERE r.flow_id = $1 AND r.requested_at > $2${VERSION_CONDITIONS[versions]('r', '$4')}
  ORDER BY ${versions === 'all' ? '' : 'r.flow_version_id DESC, '}r.requested_at DESC, r.id DESC LIMIT $3`;
const LOG = { all: logOf('all'), develop: logOf('develop'), named: logOf('named') };

const errorsOf =
  (versions: VersionSelection) =>
  (direction: SortDirection) => `SELECT e.value AS error, r.device_id, r.flow_version_id,
    CASE WHEN r.flow_version_id IS NULL THEN '${DEVELOP}'
      ELSE (SELECT v.version FROM flow_versions v WHERE v.id = r.flow_version_id) END AS flow_version
  FROM flow_runs r CROSS JOIN jsonb_array_elements(r.errors) e
  WHERE r.flow_id = $1 AND r.requested_at > $2 AND r.requested_at <= $3 AND r.errors <> '[]'
    AND ($4::text IS NULL OR r.device_id = $4)${VERSION_CONDITIONS[versions]('r', '$6')}
  ORDER BY (e.value->>'time')::timestamptz ${direction}, r.id ${direction} LIMIT $5`;
const ERRORS = { all: errorsOf('all'), develop: errorsOf('develop'), named: errorsOf('named') };

/** Reads the runs of workflows. */
@Injectable()
export class FlowRunsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the requested version, or `undefined` if the workflow does not exist. */
  async find({
    applicationId,
    flowId,
    flowVersionId,
    flowVersion,
  }: RunSelection): Promise<FoundVersion | undefined> {
    const values = [applicationId, flowId, flowVersionId ?? null, flowVersion ?? null];
    const [found] = await this.database.rows<FoundVersion>(prepared(VERSION, values));
    return found;
  }

  /** Returns runs, newest first. */
  log(scope: RunScope, since: Date | undefined, limit: number): Promise<LoggedRun[]> {
    const { versions, values } = versionsOf(scope);
    const asked = [scope.flowId, since ?? '-infinity', limit, ...values];
    return this.database.rows({ ...prepared(LOG[versions], asked), sizedBy: 'limit' });
  }

  /** Returns the errors that terminated paths of runs in the time range. */
  errors(
    scope: RunScope,
    { start, end, deviceId }: RunWindow,
    direction: SortDirection,
    limit: number,
  ): Promise<LoggedError[]> {
    const { versions, values } = versionsOf(scope);
    const text = ERRORS[versions](direction);
    const asked = [scope.flowId, start, end, deviceId ?? null, limit, ...values];
    return this.database.rows({ ...prepared(text, asked), sizedBy: 'limit' });
  }
}
