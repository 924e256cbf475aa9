import type { PayloadChannel } from '../../platform/payloads/payload-types.js';
import type { LastValue } from './device-state.entity.js';
import { HOUR } from './device-hours.columns.js';
import type { ReportedValue } from './reported-value.js';

/** A value of an attribute at a time, as it is stored. */
export interface Point {
  /** The number of the attribute within its device. */
  attribute: number;
  /** Milliseconds since 1970. */
  time: number;
  value: ReportedValue;
}

/** What a device said in one request. */
export interface DeviceReport {
  applicationId: string;
  deviceId: string;
  points: readonly Point[];
  /** What is counted of it: so many payloads of so many bytes, from whom. */
  payloads: number;
  bytes: number;
  channel: PayloadChannel;
}

/** The rows of several reports, in columns, as statements take them. Rows of a table have each key once. */
export interface ReportRows {
  states: { deviceIds: string[]; applicationIds: string[]; lastValues: string[] };
  hours: { deviceIds: string[]; applicationIds: string[]; hours: number[] };
  payloads: {
    deviceIds: string[];
    applicationIds: string[];
    channels: string[];
    counts: number[];
    bytes: number[];
  };
  points: {
    deviceIds: string[];
    applicationIds: string[];
    attributes: number[];
    times: number[];
    numbers: (number | null)[];
    booleans: (boolean | null)[];
    texts: (string | null)[];
  };
}

/** Characters; a longer text is read from its point. What a state holds is written anew with each report. */
export const LONGEST_LAST_TEXT = 256;

interface Gathered {
  applicationId: string;
  values: Map<number, Map<number, ReportedValue>>;
}

/** The rows of reports. Of two values of an attribute at the same time the later one counts. */
export function rowsOf(reports: readonly DeviceReport[]): ReportRows {
  const devices = new Map<string, Gathered>();
  const payloads = new Map<string, { report: DeviceReport; count: number; bytes: number }>();
  for (const report of reports) {
    gather(devices, report);
    const key = `${report.deviceId} ${report.channel}`;
    const counted = payloads.get(key) ?? { report, count: 0, bytes: 0 };
    payloads.set(key, counted);
    counted.count += report.payloads;
    counted.bytes += report.bytes;
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
  for (const [deviceId, gathered] of devices) addDevice(rows, deviceId, gathered);
  return rows;
}

function gather(devices: Map<string, Gathered>, { applicationId, deviceId, points }: DeviceReport): void {
  if (points.length === 0) return;
  let device = devices.get(deviceId);
  if (!device)
    devices.set(
      deviceId,
      (device = { applicationId, values: new Map<number, Map<number, ReportedValue>>() }),
    );
  for (const { attribute, time, value } of points) {
    let times = device.values.get(attribute);
    if (!times) device.values.set(attribute, (times = new Map<number, ReportedValue>()));
    times.set(time, value);
  }
}

function addDevice({ states, hours, points }: ReportRows, deviceId: string, device: Gathered): void {
  const { applicationId, values } = device;
  const lastValues: Record<number, LastValue> = {};
  const touched = new Set<number>();
  for (const [attribute, times] of values) {
    let last = Number.NEGATIVE_INFINITY;
    for (const [time, value] of times) {
      points.deviceIds.push(deviceId);
      points.applicationIds.push(applicationId);
      points.attributes.push(attribute);
      points.times.push(time);
      points.numbers.push(typeof value === 'number' ? value : null);
      points.booleans.push(typeof value === 'boolean' ? value : null);
      points.texts.push(typeof value === 'string' ? value : null);
      touched.add(time - (time % HOUR));
      last = Math.max(last, time);
    }
    lastValues[attribute] = lastValue(last, times.get(last)!);
  }
  states.deviceIds.push(deviceId);
  states.applicationIds.push(applicationId);
  states.lastValues.push(JSON.stringify(lastValues));
  for (const hour of touched) {
    hours.deviceIds.push(deviceId);
    hours.applicationIds.push(applicationId);
    hours.hours.push(hour);
  }
}

const lastValue = (time: number, value: ReportedValue): LastValue =>
  typeof value === 'string' && value.length > LONGEST_LAST_TEXT ? [time] : [time, value];

const noRows = (): ReportRows => ({
  states: { deviceIds: [], applicationIds: [], lastValues: [] },
  hours: { deviceIds: [], applicationIds: [], hours: [] },
  payloads: { deviceIds: [], applicationIds: [], channels: [], counts: [], bytes: [] },
  points: {
    deviceIds: [],
    applicationIds: [],
    attributes: [],
    times: [],
    numbers: [],
    booleans: [],
    texts: [],
  },
});
