import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { csvLines } from '../../../lib/csv/csv.js';
import { ApiError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { DevicesService, type TransactionHook } from '../devices/devices.service.js';
import type { DeviceFailure } from './device-bulk.repository.js';
import { planOf, type BulkChange } from './device-bulk.rules.js';

/** Operation applied to many devices. */
export type BulkAct = { kind: 'delete' } | { kind: 'restore' } | ({ kind: 'patch' } & BulkChange);

/** Bulk operation with the selection of its devices. */
export interface BulkTask {
  act: BulkAct;
  selection: DeviceSelection;
}

/** Number of processed and skipped devices, and the faults of the others. */
export interface BulkCounts {
  done: number;
  skipped: number;
  faults: DeviceFailure[];
}

/** Saves the progress up to a device, in the transaction that processes that device. */
export type SaveProgress = (id: string, counts: BulkCounts, transaction: Transaction) => Promise<void>;

const LINK_SECONDS = 24 * 60 * 60;
const MAX_FAULTS = 10_000;

export const noCounts = (): BulkCounts => ({ done: 0, skipped: 0, faults: [] });

/** Processes devices one at a time, with the rules and audit log entries of a single operation. */
@Injectable()
export class DeviceBulkService {
  constructor(
    private readonly devices: DevicesService,
    private readonly temporary: TemporaryBlobs,
  ) {}

  /** Adds the results to `counts`. A device that is deleted while the operation runs counts as failed. */
  async act(
    application: ApplicationAccess,
    ids: readonly string[],
    act: BulkAct,
    by: Author,
    counts: BulkCounts,
    keep?: SaveProgress,
  ): Promise<void> {
    for (const id of ids) {
      const withIt = { ...counts, done: counts.done + 1 };
      const beside = keep && ((transaction: Transaction) => keep(id, withIt, transaction));
      try {
        if (await this.actOn(application, id, act, by, beside)) counts.done++;
        else counts.skipped++;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        if (counts.faults.length < MAX_FAULTS) counts.faults.push({ id, message: error.message });
      }
    }
  }

  /** Returns a link to the CSV file of failed devices, or `undefined` if there are no failures. */
  async logLink({ faults }: BulkCounts): Promise<string | undefined> {
    if (faults.length === 0) return undefined;
    const key = `devices/${newId()}.csv`;
    const lines = csvLines([['deviceId', 'error'], ...faults.map(({ id, message }) => [id, message])]);
    await this.temporary.put(key, Readable.from([lines]), { contentType: 'text/csv; charset=utf-8' });
    return (await this.temporary.link(key, 'devices.csv', LINK_SECONDS)).url;
  }

  private async actOn(
    application: ApplicationAccess,
    id: string,
    act: BulkAct,
    by: Author,
    beside?: TransactionHook,
  ): Promise<boolean> {
    switch (act.kind) {
      case 'delete':
        await this.devices.delete(application, id, by, beside);
        return true;
      case 'restore':
        await this.devices.restore(application, id, by, beside);
        return true;
      case 'patch':
        return (
          (await this.devices.updateWith(application, id, by, (stored) => planOf(stored, act), beside)) !==
          undefined
        );
    }
  }
}
