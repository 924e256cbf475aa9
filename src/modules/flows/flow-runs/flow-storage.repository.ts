import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { assertStorageLimit } from '../../../platform/holdings/storage-limit.js';
import type { NamedFlow } from './flow-entry.js';
import { FlowStorage } from './flow-storage.entity.js';

const SIZE = 'coalesce(sum(octet_length(s.key) + octet_length(s.value::text)), 0)';
const ofFlow = (json: string) => `SELECT (SELECT ${json} FROM flow_storage s WHERE s.flow_id = f.id) AS answer
  FROM flows f WHERE f.application_id = $1 AND f.id = $2`;
const ENTRIES = ofFlow(`coalesce(json_object_agg(s.key, s.value ORDER BY s.key), '{}')`);
const METADATA = ofFlow(`json_build_object('keysCount', count(*), 'memoryUsed', ${SIZE})`);
const LOCKED = `SELECT f.id AS flow_id, f.name, a.name AS application_name
  FROM flows f JOIN applications a ON a.id = f.application_id
  WHERE f.application_id = $1 AND f.id = $2 FOR NO KEY UPDATE OF f`;
const PUT = `INSERT INTO flow_storage (flow_id, key, value, application_id, last_updated)
  VALUES ($1, $2, $3::jsonb, $4, now())
  ON CONFLICT (flow_id, key) DO UPDATE SET value = excluded.value, last_updated = excluded.last_updated`;
const STORED = `SELECT ${SIZE} AS size FROM flow_storage s WHERE s.flow_id = $1`;

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
  async lockFlow(applicationId: string, flowId: string, transaction: Transaction): Promise<NamedFlow> {
    const [flow] = await transaction.rows<NamedFlow>(prepared(LOCKED, [applicationId, flowId]));
    if (!flow) throw new NotFound('Flow');
    return flow;
  }

  /** Stores a value and replaces the previous one. */
  async put(
    { applicationId, flowId, key, value }: Pick<FlowStorage, 'applicationId' | 'flowId' | 'key' | 'value'>,
    transaction: Transaction,
  ): Promise<void> {
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
  assertWithinLimit(application: ApplicationAccess, { manager }: Transaction): Promise<void> {
    return assertStorageLimit(manager, application, 0);
  }

  private async answer(text: string, applicationId: string, flowId: string): Promise<object> {
    const [row] = await this.database.rows<{ answer: object }>(prepared(text, [applicationId, flowId]));
    if (!row) throw new NotFound('Flow');
    return row.answer;
  }
}
