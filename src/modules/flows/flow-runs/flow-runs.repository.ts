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
import { DEVELOP, OF_VERSIONS, versionsOf, type RunScope, type VersionsMeant } from './flow-run.columns.js';
import type { RunWindow } from './flow-run-window.js';
import { textOf } from './run-trigger.js';
import { idLikeSql, JOIN_RUNNING } from './wanted-runs.columns.js';

/** A run that is asked for. */
export interface RequestedRun {
  applicationId: string;
  flowId: string;
  /** The version that is to run; null for the one being developed. */
  flowVersionId: string | null;
  trigger: RunTrigger;
  deviceId?: string;
  /** The payload that it is asked for by. */
  payload: Payloads;
}

/** What makes workflows run beside what they get of it. */
export interface Happening {
  change?: string;
  runner?: Runner;
}

/** Whose runs are told of: a workflow's, or those of one of its versions, known by its id or its name. */
export interface RunsOf {
  applicationId: string;
  flowId: string;
  flowVersionId?: string;
  flowVersion?: string;
}

/** The version of a workflow that was asked for; nulls where it has no such one. */
export interface FoundVersion {
  id: string | null;
  version: string | null;
}

/** A run as logs tell of it. */
export type LoggedRun = Pick<
  FlowRun,
  'requestedAt' | 'flowVersionId' | 'pathsCompleted' | 'pathsFailed' | 'wallTime' | 'errors'
>;

/** An error, the version that it happened in, and the device that the run was about. */
export interface LoggedError {
  error: RunError;
  deviceId: string | null;
  flowVersionId: string | null;
  flowVersion: string | null;
}

const VERSION = `SELECT v.id, v.version FROM flows f
  LEFT JOIN flow_versions v ON v.flow_id = f.id AND (v.id = $3 OR v.version = $4)
  WHERE f.application_id = $1 AND f.id = $2`;

/** A workflow that is removed meanwhile is left out: its row is kept from that until the run is stored, as a foreign key would. */
const REQUEST = `WITH payload AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT $1, f.application_id, $6::json FROM flows f
    WHERE f.application_id = $2 AND f.id = $3 FOR KEY SHARE OF f
    RETURNING id, application_id),
  counted AS (${countPayloadsSql('SELECT p.application_id, NULL AS device_id, $8::text AS type, $9::text AS channel, 1 AS n, $10::bigint AS bytes FROM payload p')})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, payload_id, requested_at)
  SELECT p.id, p.application_id, $3, $4, $5, p.id, $7 FROM payload p`;

/**
 * Finds and asks in one statement. It begins at the index of triggers and reads each workflow by its key; `OFFSET 0` keeps the
 * planner from any other way. What is received is stored once, where somebody listens. Ids are made of the beginning of its
 * own, which is the time and the counter, so that they sort as they were made, and chance. What was received is counted
 * whether anybody listens or not; `$8` is null where whoever asks has counted it. `$11` is the change that happened, where
 * triggers choose among several: they hear those that they name, all where they name none.
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

/** In the order of an index, whichever versions are meant: what is the same in all rows orders nothing. */
const logOf = (
  versions: VersionsMeant,
) => `SELECT r.requested_at, r.flow_version_id, r.paths_completed, r.paths_failed,
    r.wall_time, r.errors FROM flow_runs r
  WHERE r.flow_id = $1 AND r.requested_at > $2${OF_VERSIONS[versions]('r', '$4')}
  ORDER BY ${versions === 'all' ? '' : 'r.flow_version_id DESC, '}r.requested_at DESC, r.id DESC LIMIT $3`;
const LOG = { all: logOf('all'), develop: logOf('develop'), named: logOf('named') };

const errorsOf =
  (versions: VersionsMeant) =>
  (direction: SortDirection) => `SELECT e.value AS error, r.device_id, r.flow_version_id,
    CASE WHEN r.flow_version_id IS NULL THEN '${DEVELOP}'
      ELSE (SELECT v.version FROM flow_versions v WHERE v.id = r.flow_version_id) END AS flow_version
  FROM flow_runs r CROSS JOIN jsonb_array_elements(r.errors) e
  WHERE r.flow_id = $1 AND r.requested_at > $2 AND r.requested_at <= $3 AND r.errors <> '[]'
    AND ($4::text IS NULL OR r.device_id = $4)${OF_VERSIONS[versions]('r', '$6')}
  ORDER BY (e.value->>'time')::timestamptz ${direction}, r.id ${direction} LIMIT $5`;
const ERRORS = { all: errorsOf('all'), develop: errorsOf('develop'), named: errorsOf('named') };

/** The rows of runs. */
@Injectable()
export class FlowRunsRepository {
  constructor(
    @InjectRepository(FlowRun) private readonly rows: Repository<FlowRun>,
    private readonly database: Database,
  ) {}

  /** Asks for a run, where its workflow is still there. */
  async request(run: RequestedRun, runner: Runner = this.database): Promise<void> {
    const { applicationId, flowId, flowVersionId, deviceId = null, trigger, payload } = run;
    const { type, channel, bytes } = payload;
    const values = [newId(), applicationId, flowId, flowVersionId, deviceId, textOf(trigger), new Date()];
    await runner.run(prepared(REQUEST, [...values, type, channel, bytes]));
  }

  /**
   * Asks for a run of each cloud workflow of the application that listens to the trigger in a version: `default`, `develop`,
   * or one of a name. Returns the ids of the runs. `payload` is what was received, where it is not counted yet; `change` which
   * of several changes happened, where triggers choose among them; `runner` the transaction that it is part of.
   */
  async fire(
    applicationId: string,
    trigger: RunTrigger,
    version: string,
    payload?: Payloads,
    { change, runner = this.database }: Happening = {},
  ): Promise<string[]> {
    const { type, key } = trigger;
    const values = [applicationId, version, type, key, newId(), textOf(trigger), new Date()];
    const counted = [payload?.type ?? null, payload?.channel ?? null, payload?.bytes ?? null];
    const asked = prepared(FIRE, [...values, ...counted, change ?? null]);
    const runs = await runner.rows<{ id: string }>(asked);
    return runs.map(({ id }) => id);
  }

  /** The version whose runs are meant, where the workflow is there. */
  async find({
    applicationId,
    flowId,
    flowVersionId,
    flowVersion,
  }: RunsOf): Promise<FoundVersion | undefined> {
    const values = [applicationId, flowId, flowVersionId ?? null, flowVersion ?? null];
    const [found] = await this.database.rows<FoundVersion>(prepared(VERSION, values));
    return found;
  }

  /** Runs, newest first. */
  log(scope: RunScope, since: Date | undefined, limit: number): Promise<LoggedRun[]> {
    const { versions, values } = versionsOf(scope);
    return this.database.rows(
      prepared(LOG[versions], [scope.flowId, since ?? '-infinity', limit, ...values]),
    );
  }

  /** Errors that ended paths of the runs of a time. */
  errors(
    scope: RunScope,
    { start, end, deviceId }: RunWindow,
    direction: SortDirection,
    limit: number,
  ): Promise<LoggedError[]> {
    const { versions, values } = versionsOf(scope);
    const text = ERRORS[versions](direction);
    return this.database.rows(prepared(text, [scope.flowId, start, end, deviceId ?? null, limit, ...values]));
  }

  /** Those of the runs that have a reply. */
  replied(ids: readonly string[]): Promise<Pick<FlowRun, 'id' | 'reply'>[]> {
    return this.rows.find({
      select: { id: true, reply: true },
      where: { id: In(ids), reply: Not(IsNull()) },
    });
  }
}
