import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { OwnedApplication } from '../../../platform/access/request.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { assertStorageLimit } from '../../../platform/holdings/storage-limit.js';
import type { NamedFlow } from './flow-entry.js';
import { TODAY } from './flow-storage.columns.js';
import { FlowStorage } from './flow-storage.entity.js';

const SIZE = 'coalesce(sum(octet_length(s.key) + octet_length(s.value::text)), 0)';
const ofFlow = (json: string) => `SELECT (SELECT ${json} FROM flow_storage s WHERE s.flow_id = f.id) AS answer
  FROM flows f WHERE f.application_id = $1 AND f.id = $2`;
const ENTRIES = ofFlow(`coalesce(json_object_agg(s.key, s.value ORDER BY s.key), '{}')`);
const METADATA = ofFlow(`json_build_object('keysCount', count(*), 'memoryUsed', ${SIZE})`);
const LOCKED = `SELECT f.id AS flow_id, f.name, a.name AS application_name, a.owner_id, a.owner_type
  FROM flows f JOIN applications a ON a.id = f.application_id
  WHERE f.application_id = $1 AND f.id = $2 FOR NO KEY UPDATE OF f`;
const PUT = `INSERT INTO flow_storage (flow_id, key, value, application_id, last_updated)
  VALUES ($1, $2, $3::jsonb, $4, ${TODAY})
  ON CONFLICT (flow_id, key) DO UPDATE SET value = excluded.value, last_updated = excluded.last_updated`;
const ONE = 's.flow_id = $1 AND s.key = $2 AND s.application_id = $3';
const GET = `SELECT s.value, s.last_updated < ${TODAY} AS is_old FROM flow_storage s WHERE ${ONE}`;
const GET_LOCKED = `SELECT s.value FROM flow_storage s WHERE ${ONE} FOR UPDATE`;
const RENEW = `UPDATE flow_storage s SET last_updated = ${TODAY} WHERE ${ONE} AND s.last_updated < ${TODAY}`;
const TAKE = `DELETE FROM flow_storage s WHERE ${ONE} RETURNING s.value`;
/** Only replaces a value by one that is not longer, so that the limits of the storage need no check. */
const REPLACE = `UPDATE flow_storage t SET value = $4::jsonb, last_updated = ${TODAY}
  FROM (SELECT s.value FROM flow_storage s WHERE ${ONE} FOR UPDATE) old
  WHERE t.flow_id = $1 AND t.key = $2 AND octet_length($4::jsonb::text) <= octet_length(old.value::text) RETURNING old.value`;
/** The sum is calculated with the precision that numbers have in JavaScript. */
const ADD = `UPDATE flow_storage s SET value = to_jsonb((s.value #>> '{}')::float8 + $4::float8), last_updated = ${TODAY}
  WHERE ${ONE} AND jsonb_typeof(s.value) = 'number' RETURNING s.value`;
const STORED = `SELECT ${SIZE} AS size FROM flow_storage s WHERE s.flow_id = $1`;

type Value = Pick<FlowStorage, 'applicationId' | 'flowId' | 'key' | 'value'>;
type Stored = Pick<FlowStorage, 'value'>;
type Owner = Pick<OwnedApplication, 'ownerId' | 'ownerType'>;
/** A locked workflow with the owner of its application. */
export type LockedFlow = NamedFlow & Owner;

/** Stores the values that workflows keep between runs. */
@Injectable()
export class FlowStorageRepository {
  constructor(
    @InjectRepository(FlowStorage) private readonly rows: Repository<FlowStorage>,
    private readonly database: Database,
  ) {}

  /** Returns all values of a workflow by key. Throws `404` if the workflow does not exist. */
  entries(applicationId: string, flowId: string): Promise<object> {
    return this.answer(ENTRIES, applicationId, flowId);
  }

  /**
   * Returns the number of values of a workflow and their size in bytes. Throws `404` if the workflow does not exist.
   */
  metadata(applicationId: string, flowId: string): Promise<object> {
    return this.answer(METADATA, applicationId, flowId);
  }

  /**
   * Locks the workflow until the transaction ends, so that concurrent writes see each other. Throws `404` if it does
   * not exist.
   */
  async lockFlow(applicationId: string, flowId: string, transaction: Transaction): Promise<LockedFlow> {
    const [flow] = await transaction.rows<LockedFlow>(prepared(LOCKED, [applicationId, flowId]));
    if (!flow) throw new NotFound('Flow');
    return flow;
  }

  /** Returns a value, or `undefined`. Keeps it for another retention period. */
  async get(applicationId: string, flowId: string, key: string): Promise<unknown> {
    const values = [flowId, key, applicationId];
    const [row] = await this.database.rows<{ value: unknown; isOld: boolean }>(prepared(GET, values));
    if (row?.isOld) await this.database.run(prepared(RENEW, values));
    return row?.value;
  }

  /** Returns a value, or `undefined`, and locks it until the transaction ends: `add` and `replace` lock nothing else. */
  async getLocked(
    { applicationId, flowId, key }: Omit<Value, 'value'>,
    transaction: Transaction,
  ): Promise<unknown> {
    const [row] = await transaction.rows<Stored>(prepared(GET_LOCKED, [flowId, key, applicationId]));
    return row?.value;
  }

  /** Deletes a value and returns it. Returns `undefined` if the key has no value. */
  async take(applicationId: string, flowId: string, key: string): Promise<unknown> {
    const [row] = await this.database.rows<Stored>(prepared(TAKE, [flowId, key, applicationId]));
    return row?.value;
  }

  /**
   * Replaces a stored value by one whose JSON is not longer, and returns the row with the previous value. Returns
   * `undefined` if nothing is stored, or the new value is longer.
   */
  async replace({ applicationId, flowId, key, value }: Value): Promise<Stored | undefined> {
    const statement = prepared(REPLACE, [flowId, key, applicationId, JSON.stringify(value)]);
    const [previous] = await this.database.rows<Stored>(statement);
    return previous;
  }

  /** Adds to a stored number and returns the sum, or `undefined` if no number is stored. */
  async add(
    { applicationId, flowId, key }: Omit<Value, 'value'>,
    amount: number,
  ): Promise<number | undefined> {
    const [row] = await this.database.rows<{ value: number }>(
      prepared(ADD, [flowId, key, applicationId, amount]),
    );
    return row?.value;
  }

  /** Stores a value and replaces the previous one. */
  async put({ applicationId, flowId, key, value }: Value, transaction: Transaction): Promise<void> {
    await transaction.run(prepared(PUT, [flowId, key, JSON.stringify(value), applicationId]));
  }

  /** Deletes the value of a key, or all values of the workflow. */
  async remove(flowId: string, key: string | undefined, { manager }: Transaction): Promise<void> {
    await manager.withRepository(this.rows).delete(key === undefined ? { flowId } : { flowId, key });
  }

  /** Returns the size of the stored values and keys of a workflow, in bytes. */
  async sizeOf(flowId: string, transaction: Transaction): Promise<number> {
    const [stored] = await transaction.rows<{ size: number }>(prepared(STORED, [flowId]));
    return stored!.size;
  }

  /** Throws `400` if the stored values exceed the owner's limit. */
  assertWithinLimit(application: Owner, { manager }: Transaction): Promise<void> {
    return assertStorageLimit(manager, application, 0);
  }

  private async answer(text: string, applicationId: string, flowId: string): Promise<object> {
    const [row] = await this.database.rows<{ answer: object }>(prepared(text, [applicationId, flowId]));
    if (!row) throw new NotFound('Flow');
    return row.answer;
  }
}
