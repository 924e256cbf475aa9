import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../../platform/access/request.js';
import type { Author } from '../../../../platform/audit/author.js';
import type { Bundled } from '../../../../platform/bundles/bundled.js';
import type { Transaction } from '../../../../platform/database/database.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { DEVICE_PURGE } from '../../../devices/device-removal/device-removal.jobs.js';
import { DEVICES, type Device } from '../../../devices/devices/device.resource.js';
import { removedNumbers, numbered } from '../../../devices/devices/device.rules.js';
import { DevicesRepository } from '../../../devices/devices/devices.repository.js';
import type { PlannedRow } from '../planned/planned-rows.js';

/** Special handling of devices that an import replaces. */
@Injectable()
export class ImportedDevices {
  constructor(
    private readonly devices: DevicesRepository,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Returns the columns that replace those of a row. Device attributes keep their numbers, which identify stored
   * points.
   */
  async replacing(
    bundle: Bundled,
    { id: applicationId }: OwnedApplication,
    { id, row }: PlannedRow,
    by: Author,
    transaction: Transaction,
  ): Promise<PlannedRow['row']> {
    if (bundle.holding.table !== DEVICES.table) return row;
    const stored = await this.devices.lock(applicationId, id, transaction);
    const attributes = numbered((row as Pick<Device, 'attributes'>).attributes, stored);
    const gone = removedNumbers(stored, attributes).map((attribute) => ({ applicationId, id, attribute }));
    if (gone.length > 0) await this.jobs.enqueue(transaction, DEVICE_PURGE, { gone }, by);
    return { ...row, ...attributes };
  }
}
