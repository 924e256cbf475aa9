import { csvLines, type Cell } from '../../../lib/csv/csv.js';
import { notYet } from '../../../platform/not-yet.js';
import type { Steps } from '../../devices/usage/usage.service.js';
import type { PayloadDay } from '../../devices/usage/usage.repository.js';
import type { UsedResource } from '../../devices/usage/used-resources.columns.js';
import type { PERIODS } from './usage-report.resource.js';

export type ReportPeriod = (typeof PERIODS)[number];

const COLUMNS = [
  'Period',
  'Type',
  'ID',
  'Name',
  'Owner Type',
  'Owner ID',
  'Owner Name',
  'Billable Payloads',
  'Billable Payload Bytes',
  'Non-Billable Payloads',
  'Non-Billable Payload Bytes',
  'Devices Created',
  'Devices Deleted',
  'Devices',
  'Notebook Minutes',
];

export const REPORT_HEADER = csvLines([COLUMNS]);

/** Usage in a period: sums over its days, and the number of devices at its end. */
interface Used {
  payloads: [n: number, bytes: number, freeN: number, freeBytes: number];
  devices: [created: number, deleted: number, total: number];
}

interface DeviceDay {
  date: Date;
  created: number;
  deleted: number;
  total: number;
}

/** Returns the lines of a report for one resource, with one line per period. */
export function reportLines(
  subject: UsedResource,
  devices: Steps,
  payloads: readonly PayloadDay[],
  period: ReportPeriod,
): string {
  const periods = new Map<string, Used>();
  const of = (day: Date): Used => {
    const name = day.toISOString().slice(0, period === 'day' ? 10 : 7);
    const known = periods.get(name);
    if (known) return known;
    const used: Used = { payloads: [0, 0, 0, 0], devices: [0, 0, 0] };
    periods.set(name, used);
    return used;
  };
  for (const { date, created, deleted, total } of devices.counts as DeviceDay[]) {
    const used = of(date);
    used.devices = [used.devices[0] + created, used.devices[1] + deleted, total];
  }
  for (const { day, billable, billableBytes, nonbillable, nonbillableBytes } of payloads) {
    const sums = of(day).payloads;
    [billable, billableBytes, nonbillable, nonbillableBytes].forEach((more, i) => (sums[i]! += more));
  }
  const { resourceType, id, resourceName, ownerType, ownerId, ownerName } = subject;
  const about: Cell[] = [resourceType, id, resourceName, ownerType, ownerId, ownerName];
  const minutes = notYet('notebooks', 0);
  return csvLines(
    [...periods].map(([name, used]) => [name, ...about, ...used.payloads, ...used.devices, minutes]),
  );
}
