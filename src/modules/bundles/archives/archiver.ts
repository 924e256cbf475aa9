import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ArchiveConfig } from '../../applications/applications/application.resource.js';
import { RowLines } from '../../data/data-table-rows/row-lines.js';
import { DataTablesRepository } from '../../data/data-tables/data-tables.repository.js';
import { SYSTEM_COLUMNS } from '../../data/data-tables/table-columns.js';
import { columnNames, DataFile } from '../../devices/device-exports/data-file.js';
import { DeviceDataLines } from '../../devices/device-exports/device-data-lines.js';
import {
  ExportedDevicesRepository,
  type ExportedDevice,
} from '../../devices/device-exports/exported-devices.repository.js';
import { bytesOf } from '../../devices/device-exports/pages.js';
import { EventLines } from '../../events/events/event-lines.js';
import type { EventsBound } from '../../events/events/event-selection.repository.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';
import { DAY } from './archive-days.js';
import { devicesOf, keysOf, tablesOf } from './archive-objects.js';
import type { ArchiveTarget } from './archive-target.js';

/** What to archive for an application and where to write it. */
export interface ArchiveWork {
  applicationId: string;
  config: ArchiveConfig;
  target: ArchiveTarget;
  signal: AbortSignal;
  /** Throws if the archive must stop, so that partial data does not overwrite archived objects. */
  assertActive: () => Promise<void>;
  /** Reports progress: the number of items processed and their kind. */
  reportProgress: (count: number, of: string) => Promise<void>;
}

/** Devices archived concurrently. Each keeps one part of its file in memory. */
const MAX_CONCURRENT_DEVICES = 4;
const OPTIONS = { includeID: false, includeDate: true, includeBlobData: true };
const [ID] = SYSTEM_COLUMNS;

/**
 * Writes the data of applications to their archives. Writes a file with only the heading if there is no data, so that
 * no data removed since the last run remains: archives need no permission to delete or list objects.
 */
@Injectable()
export class Archiver {
  constructor(
    private readonly applications: ArchivedApplicationsRepository,
    private readonly devices: ExportedDevicesRepository,
    private readonly data: DeviceDataLines,
    private readonly events: EventLines,
    private readonly tables: DataTablesRepository,
    private readonly rows: RowLines,
  ) {}

  /** Archives the data that the settings include for the day starting at `day`. */
  async archiveDay(work: ArchiveWork, day: number): Promise<void> {
    const { includeDevices = true, includeEvents = false, includeDataTables = false } = work.config;
    if (includeDevices) await this.archiveDevices(work, day);
    if (includeEvents) await this.archiveEventsOf(work, day);
    if (includeDataTables) await this.archiveTablesOf(work, day);
  }

  /** Archives all events that existed at the time of the request. */
  archiveEvents(work: ArchiveWork, { until, latest }: EventsBound): Promise<void> {
    const { applicationId } = work;
    const ids = this.events.selectedIds({ applicationId, selection: { query: {} }, until, latest });
    return this.putEvents(work, keysOf().events, ids);
  }

  /** Archives all rows of the selected data tables. */
  async archiveTables(work: ArchiveWork): Promise<void> {
    await this.eachTable(work, keysOf().table, {});
  }

  private async archiveDevices(work: ArchiveWork, day: number): Promise<void> {
    const selected = { applicationId: work.applicationId, ...devicesOf(work.config) };
    let count = 0;
    for (let after = ''; ;) {
      work.signal.throwIfAborted();
      await work.assertActive();
      const page = await this.devices.page(selected, after);
      const last = page.at(-1);
      if (!last) return;
      for (let at = 0; at < page.length; at += MAX_CONCURRENT_DEVICES)
        await Promise.all(
          page.slice(at, at + MAX_CONCURRENT_DEVICES).map((device) => this.archiveDevice(work, day, device)),
        );
      await work.reportProgress((count += page.length), 'devices');
      after = last.id;
    }
  }

  private async archiveDevice(
    { applicationId, target, signal }: ArchiveWork,
    day: number,
    device: ExportedDevice,
  ): Promise<void> {
    const span = { start: day, end: day + DAY };
    const file = new DataFile(columnNames(device, OPTIONS), OPTIONS, false);
    const lines = this.data.lines({ applicationId, span, options: OPTIONS }, file, device, signal);
    await target.put(keysOf(day).device(device.id), bytesOf(withHeading(file.heading, lines)));
  }

  private archiveEventsOf(work: ArchiveWork, day: number): Promise<void> {
    const span = { start: new Date(day), end: new Date(day + DAY) };
    return this.putEvents(work, keysOf(day).events, this.events.idsWithin(work.applicationId, span));
  }

  private async putEvents(work: ArchiveWork, key: string, ids: AsyncGenerator<string[]>): Promise<void> {
    const { applicationId, target, signal } = work;
    const events = { applicationId, ids: withProgress(ids, work), excludeUpdates: false };
    await target.put(key, bytesOf(this.events.csv(events, signal)));
  }

  /** Archives the rows that were last changed on the day. */
  private archiveTablesOf(work: ArchiveWork, day: number): Promise<void> {
    const query = { $and: [{ updatedAt: { $gte: day } }, { updatedAt: { $lt: day + DAY } }] };
    return this.eachTable(work, keysOf(day).table, query);
  }

  /** Writes the rows of each selected table that match a query. */
  private async eachTable(work: ArchiveWork, keyOf: (id: string) => string, query: object): Promise<void> {
    const selected = tablesOf(work.config);
    let count = 0;
    for (let after = ''; ;) {
      const page = await this.applications.tables(work.applicationId, selected, after);
      if (page.length === 0) return;
      for (const { id } of page) {
        work.signal.throwIfAborted();
        await work.assertActive();
        await this.archiveTable(work, id, keyOf(id), query);
        await work.reportProgress(++count, 'data tables');
        after = id;
      }
    }
  }

  private async archiveTable(
    { applicationId, target, signal }: ArchiveWork,
    id: string,
    key: string,
    query: object,
  ): Promise<void> {
    const layout = await this.tables.layout(applicationId, id).catch(ignoreDeletedTable);
    if (!layout) return;
    const asked = { query, order: { column: ID!, direction: 'asc' as const }, offset: 0 };
    await target.put(key, bytesOf(this.rows.lines(layout, asked, signal)));
  }
}

/** Returns `undefined` if the table was deleted after it was listed. */
function ignoreDeletedTable(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

/** Passes IDs through while the archive may continue, and reports their number. */
async function* withProgress(
  ids: AsyncGenerator<string[]>,
  { assertActive, reportProgress }: ArchiveWork,
): AsyncGenerator<string[]> {
  let count = 0;
  for await (const some of ids) {
    await assertActive();
    yield some;
    await reportProgress((count += some.length), 'events');
  }
  // The IDs may have ended because data was deleted.
  await assertActive();
}

async function* withHeading(heading: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  yield heading;
  yield* lines;
}
