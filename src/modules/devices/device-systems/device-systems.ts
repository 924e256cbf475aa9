import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { DeviceReports, type AcceptedReport } from '../device-state/device-reports.js';
import type { ReportValue } from '../device-state/report-value.js';
import { acceptStates, type AcceptedState } from '../device-state/accepted-states.js';
import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import { DeviceSystemsRepository, type DueSystem } from './device-systems.repository.js';
import { hasTagFilter, namesIn, SystemValues } from './system-values.js';

const INTERVAL_MS = 1_000;
const BATCH = 20;
/** Devices read per statement. */
const PAGE = 10_000;

/** Time of the newest value included in the report of a system. */
interface SeenTime {
  id: string;
  seen: number;
}

/**
 * Reports the aggregated values of the children of systems, at the interval of each system, in every worker. These
 * reports have the same effects as reports of devices. Nothing is reported if there are no new values and the results
 * have not changed.
 */
@Injectable()
export class DeviceSystems extends PeriodicTask {
  constructor(
    private readonly rows: DeviceSystemsRepository,
    private readonly reports: DeviceReports,
  ) {
    super(INTERVAL_MS, 'Could not calculate the values of systems');
  }

  /**
   * Processes a batch of due systems; returns whether there may be more. A failed report is skipped; the next one makes
   * up for it.
   */
  override async runBatch(): Promise<boolean> {
    const { systems, taken } = await this.rows.claimDue(BATCH);
    const noted: SeenTime[] = [];
    const faults: unknown[] = [];
    const failed = (error: unknown): undefined => void faults.push(error);
    const reported: Promise<unknown>[] = [];
    for (const system of systems) {
      // Systems can have different owners, so a failure of one must not affect the others.
      const news = await this.newValues(system).catch(failed);
      if (!news) continue;
      const { report, ...note } = news;
      reported.push(this.reports.report(report).then(() => noted.push(note), failed));
    }
    await Promise.all(reported);
    if (noted.length > 0) await this.rows.recordSeen(noted);
    if (faults.length > 0) throw faults[0];
    return taken === BATCH;
  }

  /**
   * Returns the report of a system, or `undefined` if it has no child attributes or its values have already been
   * reported.
   */
  private async newValues(system: DueSystem): Promise<(SeenTime & { report: AcceptedReport }) | undefined> {
    const values = await this.valuesOf(system);
    if (!values) return undefined;
    const report = reportOf(system, values.data());
    if (!isNewer(system, values.newest, report.states)) return undefined;
    return { id: system.id, seen: values.newest, report };
  }

  /** Returns the aggregated values of its direct children, or `undefined` if it has no child attributes. */
  private async valuesOf({ id, attributes }: DueSystem): Promise<SystemValues | undefined> {
    const names = namesIn(attributes);
    if (names.length === 0) return undefined;
    const values = new SystemValues(attributes);
    const withTags = hasTagFilter(attributes);
    for (let after = { name: '', id: '' }; !this.stopped;) {
      const page = await this.rows.children(id, after, names, withTags, PAGE);
      page.forEach((child) => values.add(child));
      if (page.length < PAGE) return values;
      after = page.at(-1)!;
    }
    return undefined;
  }
}

function reportOf(system: DueSystem, data: Record<string, ReportValue>): AcceptedReport {
  const now = Date.now();
  const device = reportingOf(system);
  const states = acceptStates(device, [{ data, time: now }], now);
  // The platform generates this report, so it does not count as a payload.
  return { device, states, isBatch: false, channel: 'device.flow', payloads: 0 };
}

/** Returns whether there are new values since the last report, or the results differ from it. */
function isNewer(
  { seen, attributeNumbers, lastValues }: DueSystem,
  newest: number,
  states: readonly AcceptedState[],
): boolean {
  const entries = states.flatMap(({ data }) => Object.entries(data));
  if (entries.length === 0) return false;
  return newest > seen || entries.some(([name, value]) => lastValues[attributeNumbers[name]!]?.[1] !== value);
}

const reportingOf = ({ attributes, attributeNumbers, ...system }: DueSystem): ReportingDevice => ({
  id: system.id,
  applicationId: system.applicationId,
  deviceClass: 'system',
  gatewayId: null,
  tags: system.tags,
  attributes: new Map(
    attributes.map(({ name, dataType }) => [name, { number: attributeNumbers[name]!, dataType }]),
  ),
});
