import { Injectable } from '@nestjs/common';
import type { DeviceReach } from '../../../platform/access/principal-data.js';
import { Database, type Transaction, type QueuedTransaction } from '../../../platform/database/database.js';
import { firstRow } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { reachSql } from '../../devices/devices/device-selection.columns.js';
import type { DeploymentKind, DueTask, NewTask } from './deployment-change.js';

/** Number of devices changed per transaction. */
export const BATCH = 1_000;
/** Maximum number of applications that a worker processes per round. */
const APPLICATIONS = 20;
/** Back-off after the first failure; tripled after each further one. */
const MIN_BACKOFF_S = 5;
/** First key of the advisory locks, unique per kind. */
export const LOCK_KEYS: Readonly<Record<DeploymentKind['name'], number>> = {
  edge: 0x64657032,
  embedded: 0x64657033,
};

const ADD = `INSERT INTO deployment_tasks (application_id, kind, change, source, device_ids, windows)
  VALUES ($1, $2, $3::jsonb, $4::jsonb, $5::text[], $6::jsonb) RETURNING id`;
const TRY = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2))';
const HEAD = `SELECT id, application_id, change, source, device_ids, windows, after, coalesce(due_at <= now(), true) AS is_due FROM deployment_tasks
  WHERE kind = $1 AND application_id = $2 ORDER BY id LIMIT 1`;
const ADVANCE = 'UPDATE deployment_tasks SET after = $2 WHERE id = $1';
const DONE = 'DELETE FROM deployment_tasks WHERE id = $1';
const FAILED = `UPDATE deployment_tasks SET attempts = attempts + 1,
  due_at = now() + ${MIN_BACKOFF_S} * 3 ^ attempts * interval '1 second' WHERE id = $1 RETURNING attempts`;
const WAITING = `SELECT w.application_id FROM (SELECT DISTINCT t.application_id FROM deployment_tasks t WHERE t.kind = $1 AND coalesce(t.due_at <= now(), true)) w
  ORDER BY random() LIMIT ${APPLICATIONS}`;

/** Next batch of devices of a task; `last` is set if more follow. */
export interface NextDevices {
  ids: string[];
  last?: string;
}

/** Queue of deployment changes. */
@Injectable()
export class DeploymentTasksRepository {
  constructor(private readonly database: Database) {}

  async add(kind: DeploymentKind, task: NewTask, transaction: Transaction): Promise<number> {
    const { applicationId, change, source, deviceIds, windows } = task;
    const json = (value?: object) => (value ? JSON.stringify(value) : null);
    const values = [applicationId, kind.name, json(change), json(source), deviceIds ?? null, json(windows)];
    const [row] = await transaction.run(prepared(ADD, values));
    return Number(row![0]);
  }

  /** Locks changes of this kind in the application until the transaction ends. */
  lock(kind: DeploymentKind, applicationId: string, transaction: QueuedTransaction): Promise<void> {
    return transaction.lock([LOCK_KEYS[kind.name], applicationId]);
  }

  /** Like `lock`, but returns `false` instead of waiting. */
  async tryLock(kind: DeploymentKind, applicationId: string, transaction: Transaction): Promise<boolean> {
    const [row] = await transaction.run(prepared(TRY, [LOCK_KEYS[kind.name], applicationId]));
    return row![0] === 't';
  }

  /** Returns the first change in the queue. */
  async findFirst(
    kind: DeploymentKind,
    applicationId: string,
    transaction: Transaction,
  ): Promise<DueTask | undefined> {
    const [task] = await transaction.rows<DueTask>(prepared(HEAD, [kind.name, applicationId]));
    return task && { ...task, id: Number(task.id) };
  }

  /** Records that a change was applied up to the device `last`, or completely if `last` is omitted. */
  async advance({ id }: DueTask, last: string | undefined, transaction: Transaction): Promise<void> {
    await transaction.run(last === undefined ? prepared(DONE, [id]) : prepared(ADVANCE, [id, last]));
  }

  /**
   * Records a failure and schedules a retry. Returns the number of failures, or `undefined` if the task no longer
   * exists.
   */
  async fail({ id }: DueTask, transaction: Transaction): Promise<number | undefined> {
    const [row] = await transaction.run(prepared(FAILED, [id]));
    return row && Number(row[0]);
  }

  /** Returns random applications with pending changes. */
  async findWaiting(kind: DeploymentKind): Promise<string[]> {
    return (await this.database.run(prepared(WAITING, [kind.name]))).map(([id]) => id!);
  }

  /** Returns the next devices of a change. Each query uses an index to continue after the last device. */
  async next(kind: DeploymentKind, task: DueTask, transaction: Transaction): Promise<NextDevices> {
    if (task.deviceIds) return { ids: [...task.deviceIds] };
    const statement = task.windows ? windowSql(kind, task) : affectedSql(kind, task);
    const found = (await transaction.run(statement)).map((row) => ({ id: row[0]!, meant: row[1] === 't' }));
    const last = found.length < BATCH ? undefined : found.at(-1)!.id;
    return { ids: found.filter(({ meant }) => meant).map(({ id }) => id), last };
  }
}

/** Selects a window of devices of the class and checks the tags of these alone, however many devices have them. */
function windowSql({ deviceClass }: DeploymentKind, { applicationId, after, windows }: DueTask) {
  const values: unknown[] = [applicationId, deviceClass, after];
  const { deviceIds = [], deviceTags = [], reach } = windows!;
  const among = (devices?: DeviceReach) => reachSql({ devices }, values);
  const selected = among({ deviceIds: [...deviceIds], deviceTags: [...deviceTags] });
  const text = `SELECT t.id, ${selected} AND ${among(reach)} FROM (SELECT d.id FROM devices d
      WHERE d.application_id = $1 AND d.device_class = $2 AND d.deleted_at IS NULL AND d.id > $3
      ORDER BY d.id ${firstRow(BATCH)}) t ORDER BY t.id`;
  return { text, values };
}

/** Selects the devices that currently have the deployment in question. */
function affectedSql({ table }: DeploymentKind, { applicationId, change, after }: DueTask) {
  const values: unknown[] = [applicationId, after];
  const conditions = ['p.application_id = $1', 'p.device_id > $2'];
  if ('flowId' in change) conditions.push(`p.flow_id = $${values.push(change.flowId)}`);
  const version =
    change.type === 'replace' ? change.oldVersion : change.type === 'content' ? change.version : null;
  if (version !== null) conditions.push(`p.desired_version = $${values.push(version)}`);
  else if (change.type !== 'remove') conditions.push('p.desired_version IS NOT NULL');
  const text = `SELECT DISTINCT p.device_id, true FROM ${table} p WHERE ${conditions.join(' AND ')}
    ORDER BY p.device_id ${firstRow(BATCH)}`;
  return prepared(text, values);
}
