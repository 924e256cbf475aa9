import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { HOUR } from './device-hours.columns.js';
import type { ReportValue } from './report-value.js';

/** Stored value of an attribute at one time. */
export interface Point {
  /** Number of the attribute within its device. */
  attribute: number;
  /** Time of the point, in milliseconds since 1970. */
  time: number;
  value: ReportValue;
}

/** Part of an accepted report that is stored. */
export interface StoredReport {
  applicationId: string;
  deviceId: string;
  points: readonly Point[];
  /** Payload count of the report: number of payloads, size and channel. */
  payloads: number;
  bytes: number;
  channel: PayloadChannel;
}

/** Points of a device, sorted by attribute and time, with one point per attribute and time. */
export interface DevicePoints {
  applicationId: string;
  deviceId: string;
  points: readonly Point[];
}

/**
 * Rows of several reports in the form required by statements: columns, except for points. Each key occurs once per
 * table.
 */
export interface ReportRows {
  states: {
    deviceIds: string[];
    applicationIds: string[];
    /** Common time of the newest values of each device, or `null` if their times differ. */
    newest: (number | null)[];
    /** Numbers of the attributes of each device. */
    attributes: number[][];
    /** Newest values of each device as JSON. */
    lastValues: string[];
  };
  hours: { deviceIds: string[]; applicationIds: string[]; hours: number[] };
  payloads: {
    deviceIds: string[];
    applicationIds: string[];
    channels: string[];
    counts: number[];
    bytes: number[];
  };
  points: DevicePoints[];
}

/**
 * Maximum length in characters of a text within a state; longer text is read from its point, because each report
 * rewrites the state.
 */
export const MAX_LAST_VALUE_LENGTH = 256;

/** Returns the rows of reports. Of two values of an attribute with the same time, the later one wins. */
export function rowsOf(reports: readonly StoredReport[]): ReportRows {
  const devices = new Map<string, { applicationId: string; points: readonly Point[] }>();
  const payloads = new Map<string, { report: StoredReport; count: number; bytes: number }>();
  for (const report of reports) {
    const { applicationId, deviceId, points } = report;
    const earlier = devices.get(deviceId);
    if (points.length > 0)
      devices.set(deviceId, { applicationId, points: earlier ? [...earlier.points, ...points] : points });
    const key = `${deviceId} ${report.channel}`;
    const counted = payloads.get(key);
    if (counted) {
      counted.count += report.payloads;
      counted.bytes += report.bytes;
    } else payloads.set(key, { report, count: report.payloads, bytes: report.bytes });
  }
  const rows = noRows();
  for (const { report, count, bytes } of payloads.values()) {
    if (count === 0) continue;
    rows.payloads.deviceIds.push(report.deviceId);
    rows.payloads.applicationIds.push(report.applicationId);
    rows.payloads.channels.push(report.channel);
    rows.payloads.counts.push(count);
    rows.payloads.bytes.push(bytes);
  }
  for (const [deviceId, { applicationId, points }] of devices)
    addDevice(rows, { deviceId, applicationId, points: inOrder(points) });
  return rows;
}

function addDevice({ states, hours, points: all }: ReportRows, device: DevicePoints): void {
  const { applicationId, deviceId, points } = device;
  const last = points.filter(({ attribute }, i) => attribute !== points[i + 1]?.attribute);
  const [{ time: newest }] = last as [Point];
  all.push(device);
  states.deviceIds.push(deviceId);
  states.applicationIds.push(applicationId);
  states.newest.push(last.every(({ time }) => time === newest) ? newest : null);
  states.attributes.push(last.map(({ attribute }) => attribute));
  states.lastValues.push(`{${last.map((point) => `"${point.attribute}":${lastValue(point)}`).join(',')}}`);
  for (const hour of hoursOf(points)) {
    hours.deviceIds.push(deviceId);
    hours.applicationIds.push(applicationId);
    hours.hours.push(hour);
  }
}

/** Returns the start times of the hours that contain points. */
function hoursOf(points: readonly Point[]): Set<number> {
  const hours = new Set<number>();
  let before: number | undefined;
  for (const { time } of points) {
    const hour = time - (time % HOUR);
    if (hour !== before) hours.add(hour);
    before = hour;
  }
  return hours;
}

/** Sorts points by attribute and time; of several points with the same time, keeps the last one. */
function inOrder(points: readonly Point[]): readonly Point[] {
  if (points.every((point, i) => i === 0 || compare(points[i - 1]!, point) < 0)) return points;
  const ordered = [...points].sort(compare);
  return ordered.filter((point, i) => i + 1 === ordered.length || compare(point, ordered[i + 1]!) < 0);
}

const compare = (a: Point, b: Point): number => a.attribute - b.attribute || a.time - b.time;

/** Returns a `LastValue` as JSON. */
function lastValue({ time, value }: Point): string {
  if (typeof value !== 'string') return `[${time},${value}]`;
  return value.length > MAX_LAST_VALUE_LENGTH ? `[${time}]` : `[${time},${JSON.stringify(value)}]`;
}

const noRows = (): ReportRows => ({
  states: { deviceIds: [], applicationIds: [], newest: [], attributes: [], lastValues: [] },
  hours: { deviceIds: [], applicationIds: [], hours: [] },
  payloads: { deviceIds: [], applicationIds: [], channels: [], counts: [], bytes: [] },
  points: [],
});
