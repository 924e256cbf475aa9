import { Injectable } from '@nestjs/common';
import type { DeviceReach } from '../../../platform/access/principal.js';
import { Database, type Transaction, type WaitingTransaction } from '../../../platform/database/database.js';
import { firstOf } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { reachSql } from '../../devices/devices/device-selection.columns.js';
import type { DeploymentKind, DueTask, NewTask } from './deployment-change.js';

/** How many devices one transaction changes. */
export const BATCH = 1_000;
/** How many applications a worker looks at in turn. */
const APPLICATIONS = 20;
/** How long a change waits that failed for the first time; each further time three times as long. */
const FIRST_PAUSE_S = 5;
/** The first half of keys of advisory locks, one for each kind; nothing else has it. */
export const TURNS: Readonly<Record<DeploymentKind['name'], number>> = {
  edge: 0x64657032,
  embedded: 0x64657033,
};

const ADD = `INSERT INTO deployment_tasks (application_id, kind, change, source, device_ids, windows)
  VALUES ($1, $2, $3::jsonb, $4::jsonb, $5::text[], $6::jsonb) RETURNING id`;
const TRY = 'SELECT pg_try_advisory_xact_lock($1, hashtext($2))';
const HEAD = `SELECT id, application_id, change, source, device_ids, windows, after, coalesce(due_at <= now(), true) AS is_due FROM deployment_tasks
  WHERE kind = $1 AND application_id = $2 ORDER BY id LIMIT 1`;
const PASS = 'UPDATE deployment_tasks SET after = $2 WHERE id = $1';
const DONE = 'DELETE FROM deployment_tasks WHERE id = $1';
const FAILED = `UPDATE deployment_tasks SET attempts = attempts + 1,
  due_at = now() + ${FIRST_PAUSE_S} * 3 ^ attempts * interval '1 second' WHERE id = $1 RETURNING attempts`;
const WAITING = `SELECT w.application_id FROM (SELECT DISTINCT t.application_id FROM deployment_tasks t WHERE t.kind = $1 AND coalesce(t.due_at <= now(), true)) w
  ORDER BY random() LIMIT ${APPLICATIONS}`;

/** The devices of a task that are next, and whether more follow. */
export interface NextDevices {
  ids: string[];
  last?: string;
}

/** Changes of what devices are to run that wait for their turn. */
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

  /** Until the transaction ends nobody else makes changes of the kind in the application. */
  lock(kind: DeploymentKind, applicationId: string, transaction: WaitingTransaction): Promise<void> {
    return transaction.lock([TURNS[kind.name], applicationId]);
  }

  /** The same, unless somebody is at it. */
  async tryLock(kind: DeploymentKind, applicationId: string, transaction: Transaction): Promise<boolean> {
    const [row] = await transaction.run(prepared(TRY, [TURNS[kind.name], applicationId]));
    return row![0] === 't';
  }

  /** The change whose turn it is. */
  async head(
    kind: DeploymentKind,
    applicationId: string,
    transaction: Transaction,
  ): Promise<DueTask | undefined> {
    const [task] = await transaction.rows<DueTask>(prepared(HEAD, [kind.name, applicationId]));
    return task && { ...task, id: Number(task.id) };
  }

  /** Notes that a change was made for the devices up to `last`; without it, for all. */
  async pass({ id }: DueTask, last: string | undefined, transaction: Transaction): Promise<void> {
    await transaction.run(last === undefined ? prepared(DONE, [id]) : prepared(PASS, [id, last]));
  }

  /** Notes that a change failed, which waits from now on; how often it did. Nothing where it is gone. */
  async fail({ id }: DueTask, transaction: Transaction): Promise<number | undefined> {
    const [row] = await transaction.run(prepared(FAILED, [id]));
    return row && Number(row[0]);
  }

  /** Some applications in which changes wait. */
  async waiting(kind: DeploymentKind): Promise<string[]> {
    return (await this.database.run(prepared(WAITING, [kind.name]))).map(([id]) => id!);
  }

  /** The devices that a change is next for: each statement goes by an index, from the last device on. */
  async next(kind: DeploymentKind, task: DueTask, transaction: Transaction): Promise<NextDevices> {
    if (task.deviceIds) return { ids: [...task.deviceIds] };
    const statement = task.windows ? windowSql(kind, task) : affectedSql(kind, task);
    const found = (await transaction.run(statement)).map((row) => ({ id: row[0]!, meant: row[1] === 't' }));
    const last = found.length < BATCH ? undefined : found.at(-1)!.id;
    return { ids: found.filter(({ meant }) => meant).map(({ id }) => id), last };
  }
}

/** A window of the devices of the class, and which of them are selected: asked of these alone, however many have the tags. */
function windowSql({ deviceClass }: DeploymentKind, { applicationId, after, windows }: DueTask) {
  const values: unknown[] = [applicationId, deviceClass, after];
  const { deviceIds = [], deviceTags = [], reach } = windows!;
  const among = (devices?: DeviceReach) => reachSql({ id: applicationId, devices }, values);
  const selected = among({ deviceIds: [...deviceIds], deviceTags: [...deviceTags] });
  const text = `SELECT t.id, ${selected} AND ${among(reach)} FROM (SELECT d.id FROM devices d
      WHERE d.application_id = $1 AND d.device_class = $2 AND d.deleted_at IS NULL AND d.id > $3
      ORDER BY d.id ${firstOf(BATCH)}) t ORDER BY t.id`;
  return { text, values };
}

/** The devices that have what a change is of. */
function affectedSql({ table }: DeploymentKind, { applicationId, change, after }: DueTask) {
  const values: unknown[] = [applicationId, after];
  const conditions = ['p.application_id = $1', 'p.device_id > $2'];
  if ('flowId' in change) conditions.push(`p.flow_id = $${values.push(change.flowId)}`);
  const version =
    change.type === 'replace' ? change.oldVersion : change.type === 'content' ? change.version : null;
  if (version !== null) conditions.push(`p.desired_version = $${values.push(version)}`);
  else if (change.type !== 'remove') conditions.push('p.desired_version IS NOT NULL');
  const text = `SELECT DISTINCT p.device_id, true FROM ${table} p WHERE ${conditions.join(' AND ')}
    ORDER BY p.device_id ${firstOf(BATCH)}`;
  return prepared(text, values);
}
