import { Injectable } from '@nestjs/common';
import { Repeated } from '../../../platform/database/repeated.js';
import { DeviceReports, type TakenReport } from '../device-state/device-reports.js';
import type { ReportedValue } from '../device-state/reported-value.js';
import { takenOf, type TakenState } from '../device-state/taken-states.js';
import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import { DeviceSystemsRepository, type DueSystem } from './device-systems.repository.js';
import { asksForTags, namesIn, SystemValues } from './system-values.js';

const INTERVAL_MS = 1_000;
const BATCH = 20;
/** Devices that one statement reads. */
const PAGE = 10_000;

/** Up to when a system has summed up what is reported. */
interface Noted {
  id: string;
  seen: number;
}

/**
 * Has systems report what the devices below them add up to, each in its own interval, in every worker: what follows from a
 * report of a device follows from these too. Where nothing came and nothing changed since the last time, nothing is reported.
 */
@Injectable()
export class DeviceSystems extends Repeated {
  constructor(
    private readonly rows: DeviceSystemsRepository,
    private readonly reports: DeviceReports,
  ) {
    super(INTERVAL_MS, 'Systems were not summed up');
  }

  /** Does the turn of some systems; whether there may be more. A turn that fails is missed, and made up for by the next. */
  override async batch(): Promise<boolean> {
    const { systems, taken } = await this.rows.take(BATCH);
    const noted: Noted[] = [];
    const faults: unknown[] = [];
    const failed = (error: unknown): undefined => void faults.push(error);
    const reported: Promise<unknown>[] = [];
    for (const system of systems) {
      // They may be of different owners: what ails one is nothing to the others.
      const news = await this.newsOf(system).catch(failed);
      if (!news) continue;
      const { report, ...note } = news;
      reported.push(this.reports.report(report).then(() => noted.push(note), failed));
    }
    await Promise.all(reported);
    if (noted.length > 0) await this.rows.note(noted);
    if (faults.length > 0) throw faults[0];
    return taken === BATCH;
  }

  /** What a system is to report; nothing where it is made of nothing, or has reported that already. */
  private async newsOf(system: DueSystem): Promise<(Noted & { report: TakenReport }) | undefined> {
    const values = await this.valuesOf(system);
    if (!values) return undefined;
    const report = reportOf(system, values.data());
    if (!isNews(system, values.newest, report.states)) return undefined;
    return { id: system.id, seen: values.newest, report };
  }

  /** What the devices directly below it add up to; nothing where it is made of none. */
  private async valuesOf({ id, attributes }: DueSystem): Promise<SystemValues | undefined> {
    const names = namesIn(attributes);
    if (names.length === 0) return undefined;
    const values = new SystemValues(attributes);
    const withTags = asksForTags(attributes);
    for (let after = { name: '', id: '' }; !this.stopped;) {
      const page = await this.rows.children(id, after, names, withTags, PAGE);
      page.forEach((child) => values.add(child));
      if (page.length < PAGE) return values;
      after = page.at(-1)!;
    }
    return undefined;
  }
}

function reportOf(system: DueSystem, data: Record<string, ReportedValue>): TakenReport {
  const now = Date.now();
  const device = reportingOf(system);
  const states = takenOf(device, [{ data, time: now }], now);
  // It is the platform that reports: what nobody sent is no payload.
  return { device, states, isBatch: false, channel: 'device.flow', payloads: 0 };
}

/** Whether something came since the last time, or what there is adds up to something else. */
function isNews(
  { seen, attributeNumbers, lastValues }: DueSystem,
  newest: number,
  states: readonly TakenState[],
): boolean {
  const entries = states.flatMap(({ data }) => Object.entries(data));
  if (entries.length === 0) return false;
  return newest > seen || entries.some(([name, value]) => lastValues[attributeNumbers[name]!]?.[1] !== value);
}

const reportingOf = ({ attributes, attributeNumbers, ...system }: DueSystem): ReportingDevice => ({
  id: system.id,
  applicationId: system.applicationId,
  deviceClass: 'system',
  tags: system.tags,
  attributes: new Map(
    attributes.map(({ name, dataType }) => [name, { number: attributeNumbers[name]!, dataType }]),
  ),
});
