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

/** What is archived of which application, and where to. */
export interface ArchiveWork {
  applicationId: string;
  config: ArchiveConfig;
  target: ArchiveTarget;
  signal: AbortSignal;
  /** Throws where it is not to go on: what there is meanwhile must not take the place of what was archived. */
  goOn: () => Promise<void>;
  /** Hears how many of what were looked at. */
  tell: (count: number, of: string) => Promise<void>;
}

/** Devices whose files are written at a time: each has one part of its file in memory. */
const AT_ONCE = 4;
const OPTIONS = { includeID: false, includeDate: true, includeBlobData: true };
const [ID] = SYSTEM_COLUMNS;

/**
 * Writes what applications have to the places where they archive it. What has nothing to say of a day has an object with the heading
 * alone, so that nothing stays there which was removed since: who archives needs no right to delete or to list.
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

  /** Archives what the settings include of a day, which begins at `day`. */
  async archiveDay(work: ArchiveWork, day: number): Promise<void> {
    const { includeDevices = true, includeEvents = false, includeDataTables = false } = work.config;
    if (includeDevices) await this.archiveDevices(work, day);
    if (includeEvents) await this.archiveEventsOf(work, day);
    if (includeDataTables) await this.archiveTablesOf(work, day);
  }

  /** Archives all events that were there when it was asked for. */
  archiveEvents(work: ArchiveWork, { until, latest }: EventsBound): Promise<void> {
    const { applicationId } = work;
    const ids = this.events.selectedIds({ applicationId, selection: { query: {} }, until, latest });
    return this.putEvents(work, keysOf().events, ids);
  }

  /** Archives all rows of the data tables that the settings select. */
  async archiveTables(work: ArchiveWork): Promise<void> {
    await this.eachTable(work, keysOf().table, {});
  }

  private async archiveDevices(work: ArchiveWork, day: number): Promise<void> {
    const selected = { applicationId: work.applicationId, ...devicesOf(work.config) };
    let count = 0;
    for (let after = ''; ;) {
      work.signal.throwIfAborted();
      await work.goOn();
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
    await target.put(keysOf(day).device(device.id), bytesOf(withHeading(file.heading, lines)));
  }

  private archiveEventsOf(work: ArchiveWork, day: number): Promise<void> {
    const span = { start: new Date(day), end: new Date(day + DAY) };
    return this.putEvents(work, keysOf(day).events, this.events.idsWithin(work.applicationId, span));
  }

  private async putEvents(work: ArchiveWork, key: string, ids: AsyncGenerator<string[]>): Promise<void> {
    const { applicationId, target, signal } = work;
    const events = { applicationId, ids: watched(ids, work), excludeUpdates: false };
    await target.put(key, bytesOf(this.events.csv(events, signal)));
  }

  /** Of a table, the rows that were last changed on the day. */
  private archiveTablesOf(work: ArchiveWork, day: number): Promise<void> {
    const query = { $and: [{ updatedAt: { $gte: day } }, { updatedAt: { $lt: day + DAY } }] };
    return this.eachTable(work, keysOf(day).table, query);
  }

  /** Writes those rows of each table that a query finds. */
  private async eachTable(work: ArchiveWork, keyOf: (id: string) => string, query: object): Promise<void> {
    const selected = tablesOf(work.config);
    let count = 0;
    for (let after = ''; ;) {
      const page = await this.applications.tables(work.applicationId, selected, after);
      if (page.length === 0) return;
      for (const { id } of page) {
        work.signal.throwIfAborted();
        await work.goOn();
        await this.archiveTable(work, id, keyOf(id), query);
        await work.tell(++count, 'data tables');
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
    const layout = await this.tables.layout(applicationId, id).catch(unlessGone);
    if (!layout) return;
    const asked = { query, order: { column: ID!, direction: 'asc' as const }, offset: 0 };
    await target.put(key, bytesOf(this.rows.of(layout, asked, signal)));
  }
}

/** Nothing, for a table that was deleted since it was listed. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error;
}

/** The same ids, as long as the archive may go on; how many there were is told. */
async function* watched(
  ids: AsyncGenerator<string[]>,
  { goOn, tell }: ArchiveWork,
): AsyncGenerator<string[]> {
  let count = 0;
  for await (const some of ids) {
    await goOn();
    yield some;
    await tell((count += some.length), 'events');
  }
  // What is gone may be why there are no more.
  await goOn();
}

async function* withHeading(heading: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  yield heading;
  yield* lines;
}
