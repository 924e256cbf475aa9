import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { demandStorage } from '../../../platform/holdings/storage-limit.js';
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

/** The rows of what workflows keep between their runs. */
@Injectable()
export class FlowStorageRepository {
  constructor(
    @InjectRepository(FlowStorage) private readonly rows: Repository<FlowStorage>,
    private readonly database: Database,
  ) {}

  /** All values of a workflow by their keys, or 404. */
  entries(applicationId: string, flowId: string): Promise<object> {
    return this.answer(ENTRIES, applicationId, flowId);
  }

  /** How many values a workflow has, and how many bytes, or 404. */
  metadata(applicationId: string, flowId: string): Promise<object> {
    return this.answer(METADATA, applicationId, flowId);
  }

  /** The workflow, locked until the transaction ends, or 404: of two that store at once, the second one sees what the first did. */
  async lockFlow(applicationId: string, flowId: string, transaction: Transaction): Promise<NamedFlow> {
    const [flow] = await transaction.rows<NamedFlow>(prepared(LOCKED, [applicationId, flowId]));
    if (!flow) throw new NotFound('Flow');
    return flow;
  }

  /** Stores a value in the place of whatever the key held. */
  async put(
    { applicationId, flowId, key, value }: Pick<FlowStorage, 'applicationId' | 'flowId' | 'key' | 'value'>,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.run(prepared(PUT, [flowId, key, JSON.stringify(value), applicationId]));
  }

  /** Removes what a key holds, or all values of the workflow. */
  async remove(flowId: string, key: string | undefined, { manager }: Transaction): Promise<void> {
    await manager.withRepository(this.rows).delete(key === undefined ? { flowId } : { flowId, key });
  }

  /** How many bytes a workflow stores, with its keys. */
  async sizeOf(flowId: string, transaction: Transaction): Promise<number> {
    const [stored] = await transaction.rows<{ size: number }>(prepared(STORED, [flowId]));
    return stored!.size;
  }

  /** 400 where what was stored is too much for the owner. */
  demandWithinLimit(application: ApplicationAccess, { manager }: Transaction): Promise<void> {
    return demandStorage(manager, application, 0);
  }

  private async answer(text: string, applicationId: string, flowId: string): Promise<object> {
    const [row] = await this.database.rows<{ answer: object }>(prepared(text, [applicationId, flowId]));
    if (!row) throw new NotFound('Flow');
    return row.answer;
  }
}
