import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { flowEntry } from './flow-entry.js';
import type { FlowStorage } from './flow-storage.entity.js';
import { FlowStorageRepository, type LockedFlow } from './flow-storage.repository.js';
import type { FlowStorageEntry } from './flow-storage.schemas.js';

/** Maximum storage per workflow, in bytes. Limited because the storage is always read as a whole. */
const MAX_BYTES = 1024 * 1024;

/** Manages the values that workflows keep between runs. */
@Injectable()
export class FlowStorageService {
  constructor(
    private readonly storage: FlowStorageRepository,
    private readonly database: Database,
  ) {}

  entries(applicationId: string, flowId: string): Promise<object> {
    return this.storage.entries(applicationId, flowId);
  }

  metadata(applicationId: string, flowId: string): Promise<object> {
    return this.storage.metadata(applicationId, flowId);
  }

  async set(
    application: ApplicationAccess,
    flowId: string,
    { key, value }: FlowStorageEntry,
    by: Author,
  ): Promise<Success> {
    return this.database.transaction(async (transaction) => {
      const flow = await this.storage.lockFlow(application.id, flowId, transaction);
      if (value === undefined) await this.storage.remove(flowId, key, transaction);
      else await this.put(flow, { applicationId: application.id, flowId, key, value }, transaction);
      await writeEntry(transaction.manager, by, flowEntry(application, flow));
      return new Success();
    });
  }

  /**
   * Replaces the value of a key by `next(previous)`, for a run of the workflow. Returns the previous value, or `undefined`.
   */
  store(
    applicationId: string,
    flowId: string,
    key: string,
    next: (previous: unknown) => unknown,
  ): Promise<unknown> {
    return this.database.queuedTransaction(applicationId, async (transaction) => {
      const flow = await this.storage.lockFlow(applicationId, flowId, transaction);
      const previous = await this.storage.getLocked({ applicationId, flowId, key }, transaction);
      await this.put(flow, { applicationId, flowId, key, value: next(previous) }, transaction);
      return previous;
    });
  }

  async clear(application: ApplicationAccess, flowId: string, by: Author): Promise<object> {
    return this.database.transaction(async (transaction) => {
      const flow = await this.storage.lockFlow(application.id, flowId, transaction);
      await this.storage.remove(flowId, undefined, transaction);
      await writeEntry(transaction.manager, by, flowEntry(application, flow));
      return {};
    });
  }

  /** Stores a value. Throws `400` if the workflow or the owner would store too much. */
  private async put(
    flow: LockedFlow,
    stored: Pick<FlowStorage, 'applicationId' | 'flowId' | 'key' | 'value'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.storage.put(stored, transaction);
    if ((await this.storage.sizeOf(stored.flowId, transaction)) > MAX_BYTES)
      throw new ValidationError(
        `flowStorageEntry.value is too large: a workflow can store at most ${MAX_BYTES} bytes`,
      );
    await this.storage.assertWithinLimit(flow, transaction);
  }
}
