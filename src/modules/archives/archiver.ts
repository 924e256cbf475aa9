import { Injectable } from '@nestjs/common';
import type { ArchiveConfig } from '../applications/application.resource.js';
import { RowLines } from '../data-table-rows/row-lines.js';
import { DataTablesRepository } from '../data-tables/data-tables.repository.js';
import { SYSTEM_COLUMNS } from '../data-tables/table-columns.js';
import { columnNames, DataFile } from '../device-exports/data-file.js';
import { DeviceDataLines } from '../device-exports/device-data-lines.js';
import {
  ExportedDevicesRepository,
  type ExportedDevice,
} from '../device-exports/exported-devices.repository.js';
import { bytesOf } from '../device-exports/pages.js';
import { EventLines } from '../events/event-lines.js';
import type { EventsBound } from '../events/event-selection.repository.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';
import { DAY } from './archive-days.js';
import { beyondHeading } from './archive-lines.js';
import { devicesOf, keysOf, tablesOf } from './archive-objects.js';
import type { ArchiveTarget } from './archive-target.js';

/** What is archived of which application, and where to. */
export interface ArchiveWork {
  applicationId: string;
  config: ArchiveConfig;
  target: ArchiveTarget;
  signal: AbortSignal;
  /** Hears how many of what were looked at. */
  tell: (count: number, of: string) => Promise<void>;
}

/** Devices whose files are written at a time: each has one part of its file in memory. */
const AT_ONCE = 4;
const OPTIONS = { includeID: false, includeDate: true, includeBlobData: true };
const [ID] = SYSTEM_COLUMNS;

/** Writes what applications have to the places where they archive it. What has nothing to say of a day has no object of it. */
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

  /** Archives what the settings include of a day, which begins at `day`. */
  async archiveDay(work: ArchiveWork, day: number): Promise<void> {
    const { includeDevices = true, includeEvents = false, includeDataTables = false } = work.config;
    if (includeDevices) await this.archiveDevices(work, day);
    if (includeEvents) await this.archiveEventsOf(work, day);
    if (includeDataTables) await this.archiveTablesOf(work, day);
  }

  /** Archives all events that were there when it was asked for. */
  async archiveEvents(
    { applicationId, target, signal }: ArchiveWork,
    { until, latest }: EventsBound,
  ): Promise<void> {
    const ids = this.events.selectedIds({ applicationId, selection: { query: {} }, until, latest });
    const lines = this.events.csv({ applicationId, ids, excludeUpdates: false }, signal);
    await target.put(keysOf().events, bytesOf(lines));
  }

  /** Archives all rows of the data tables that the settings select. */
  async archiveTables(work: ArchiveWork): Promise<void> {
    await this.eachTable(work, async (id) => {
      const lines = await this.linesOfTable(work, id, {});
      await work.target.put(keysOf().table(id), bytesOf(lines));
    });
  }

  private async archiveDevices(work: ArchiveWork, day: number): Promise<void> {
    const selected = { applicationId: work.applicationId, ...devicesOf(work.config) };
    let count = 0;
    for (let after = ''; ;) {
      work.signal.throwIfAborted();
      const page = await this.devices.page(selected, after);
      const last = page.at(-1);
      if (!last) return;
      for (let at = 0; at < page.length; at += AT_ONCE)
        await Promise.all(
          page.slice(at, at + AT_ONCE).map((device) => this.archiveDevice(work, day, device)),
        );
      await work.tell((count += page.length), 'devices');
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
    const lines = this.data.of({ applicationId, span, options: OPTIONS }, file, device, signal);
    await this.putUnlessEmpty(target, keysOf(day).device(device.id), withHeading(file.heading, lines));
  }

  private async archiveEventsOf({ applicationId, target, signal }: ArchiveWork, day: number): Promise<void> {
    const ids = this.events.idsWithin(applicationId, { start: new Date(day), end: new Date(day + DAY) });
    const lines = this.events.csv({ applicationId, ids, excludeUpdates: false }, signal);
    await this.putUnlessEmpty(target, keysOf(day).events, lines);
  }

  /** Of a table, the rows that were last changed on the day. */
  private archiveTablesOf(work: ArchiveWork, day: number): Promise<void> {
    const query = { $and: [{ updatedAt: { $gte: day } }, { updatedAt: { $lt: day + DAY } }] };
    return this.eachTable(work, async (id) => {
      const lines = await this.linesOfTable(work, id, query);
      await this.putUnlessEmpty(work.target, keysOf(day).table(id), lines);
    });
  }

  private async eachTable(work: ArchiveWork, archive: (id: string) => Promise<void>): Promise<void> {
    const selected = tablesOf(work.config);
    let count = 0;
    for (let after = ''; ;) {
      const page = await this.applications.tables(work.applicationId, selected, after);
      if (page.length === 0) return;
      for (const { id } of page) {
        work.signal.throwIfAborted();
        await archive(id);
        await work.tell(++count, 'data tables');
        after = id;
      }
    }
  }

  private async linesOfTable(
    { applicationId, signal }: ArchiveWork,
    id: string,
    query: object,
  ): Promise<AsyncGenerator<string>> {
    const layout = await this.tables.layout(applicationId, id);
    return this.rows.of(layout, { query, order: { column: ID!, direction: 'asc' }, offset: 0 }, signal);
  }

  private async putUnlessEmpty(
    target: ArchiveTarget,
    key: string,
    lines: AsyncGenerator<string>,
  ): Promise<void> {
    const content = await beyondHeading(lines);
    if (content) await target.put(key, bytesOf(content));
  }
}

async function* withHeading(heading: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  yield heading;
  yield* lines;
}
