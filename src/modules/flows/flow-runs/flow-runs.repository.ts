import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { countPayloadsSql, type Payloads } from '../../../platform/payloads/payload-deltas.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FlowRun, type RunError } from './flow-run.entity.js';
import type { RunTrigger } from './flow-run-payload.entity.js';
import {
  DEVELOP,
  VERSION_CONDITIONS,
  versionsOf,
  type RunScope,
  type VersionSelection,
} from './flow-run.columns.js';
import type { RunWindow } from './flow-run-window.js';
import { textOf } from './run-trigger.js';
import { idLikeSql, JOIN_RUNNING } from './trigger-conditions.columns.js';

/** Run to enqueue. */
export interface RequestedRun {
  applicationId: string;
  flowId: string;
  /** Version to run; `null` for the development version. */
  flowVersionId: string | null;
  trigger: RunTrigger;
  deviceId?: string;
  /** Type, channel and size of the payload, for payload counts. */
  payload: Payloads;
}

/** Change that fires triggers, and the transaction that it belongs to. */
export interface TriggerEvent {
  change?: string;
  runner?: Runner;
}

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

/** Run, as returned in logs. */
export type LoggedRun = Pick<
  FlowRun,
  'requestedAt' | 'flowVersionId' | 'pathsCompleted' | 'pathsFailed' | 'wallTime' | 'errors'
>;

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
 * Skips workflows that are deleted concurrently. Like a foreign key, the lock prevents deletion until the run is
 * stored.
 */
const REQUEST = `WITH payload AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT $1, f.application_id, $6::json FROM flows f
    WHERE f.application_id = $2 AND f.id = $3 FOR KEY SHARE OF f
    RETURNING id, application_id),
  counted AS (${countPayloadsSql('SELECT p.application_id, NULL AS device_id, $8::text AS type, $9::text AS channel, 1 AS n, $10::bigint AS bytes FROM payload p')})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, payload_id, requested_at)
  SELECT p.id, p.application_id, $3, $4, $5, p.id, $7 FROM payload p`;

/**
 * Finds the triggers, and stores the payload and runs, in one statement. Starts with the index of triggers and reads
 * each workflow by primary key; `OFFSET 0` prevents other plans. The payload is stored once, if any trigger matches.
 * Run IDs consist of the time and counter of the payload ID, so that they sort by creation, and a random part. The
 * payload is counted even if no trigger matches; `$8` is null if the caller has counted it already. `$11` is the
 * change, for triggers that filter by change: they match the changes in their configuration, or all if it is empty.
 */
const FIRE = `WITH listening AS (
    SELECT f.id, g.flow_version_id FROM flow_triggers g ${JOIN_RUNNING}
    WHERE g.application_id = $1 AND g.version = $2 AND g.type = $3 AND md5(g.key) = md5($4) AND g.key = $4
      AND ($11::text IS NULL OR coalesce(g.config, '{}') = '{}' OR g.config->$11 = 'true')),
  payload AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT $5, $1, $6::json WHERE EXISTS (SELECT FROM listening)
    RETURNING id),
  counted AS (${countPayloadsSql('SELECT $1::text AS application_id, NULL AS device_id, $8::text AS type, $9::text AS channel, 1 AS n, $10::bigint AS bytes WHERE $8 IS NOT NULL')})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, payload_id, requested_at)
  SELECT ${idLikeSql('p.id')}, $1, l.id, l.flow_version_id, p.id, $7 FROM listening l CROSS JOIN payload p
  RETURNING id`;

/**
 * Sorts in the order of an index for each kind of scope. A leading column that is constant does not affect the order.
 */
const logOf = (
  versions: VersionSelection,
) => `SELECT r.requested_at, r.flow_version_id, r.paths_completed, r.paths_failed,
    r.wall_time, r.errors FROM flow_runs r
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

/** Stores the runs of workflows. */
@Injectable()
export class FlowRunsRepository {
  constructor(
    @InjectRepository(FlowRun) private readonly rows: Repository<FlowRun>,
    private readonly database: Database,
  ) {}

  /** Enqueues a run, if the workflow still exists. */
  async request(run: RequestedRun, runner: Runner = this.database): Promise<void> {
    const { applicationId, flowId, flowVersionId, deviceId = null, trigger, payload } = run;
    const { type, channel, bytes } = payload;
    const values = [newId(), applicationId, flowId, flowVersionId, deviceId, textOf(trigger), new Date()];
    await runner.run(prepared(REQUEST, [...values, type, channel, bytes]));
  }

  /**
   * Enqueues a run of each cloud workflow of the application whose trigger matches, in a version: `default`, `develop`
   * or a name. Returns the IDs of the runs. `payload` is omitted if the caller has counted it already. `change` is the
   * change that triggers filter by, and `runner` the transaction that it belongs to.
   */
  async fire(
    applicationId: string,
    trigger: RunTrigger,
    version: string,
    payload?: Payloads,
    { change, runner = this.database }: TriggerEvent = {},
  ): Promise<string[]> {
    const { type, key } = trigger;
    const values = [applicationId, version, type, key, newId(), textOf(trigger), new Date()];
    const counted = [payload?.type ?? null, payload?.channel ?? null, payload?.bytes ?? null];
    const asked = prepared(FIRE, [...values, ...counted, change ?? null]);
    const runs = await runner.rows<{ id: string }>(asked);
    return runs.map(({ id }) => id);
  }

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

  /** Returns the runs that have a reply. */
  replied(ids: readonly string[]): Promise<Pick<FlowRun, 'id' | 'reply'>[]> {
    return this.rows.find({
      select: { id: true, reply: true },
      where: { id: In(ids), reply: Not(IsNull()) },
    });
  }
}
