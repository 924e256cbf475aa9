import { writeInt64, writeNull } from '../../../platform/database/binary-values.js';
import type { ReportValue } from './report-value.js';
import type { DevicePoints, Point } from './report-batch.js';

/** Columns of points, in the order in which this file writes them. */
export const POINT_COLUMNS = 'device_id, application_id, attribute, time, number, boolean, text';

export const countPoints = (devices: readonly DevicePoints[]): number =>
  sum(devices, ({ points }) => points.length);

/** Returns points as arrays of `POINT_COLUMNS`. */
export function pointArrays(devices: readonly DevicePoints[]): unknown[] {
  const deviceIds: string[] = [];
  const applicationIds: string[] = [];
  const attributes: number[] = [];
  const times: number[] = [];
  const numbers: (number | null)[] = [];
  const booleans: (boolean | null)[] = [];
  const texts: (string | null)[] = [];
  for (const { deviceId, applicationId, points } of devices)
    for (const { attribute, time, value } of points) {
      deviceIds.push(deviceId);
      applicationIds.push(applicationId);
      attributes.push(attribute);
      times.push(time);
      numbers.push(typeof value === 'number' ? value : null);
      booleans.push(typeof value === 'boolean' ? value : null);
      texts.push(typeof value === 'string' ? value : null);
    }
  return [deviceIds, applicationIds, attributes, times, numbers, booleans, texts];
}

// Binary format of PostgreSQL's COPY: a field consists of its length and bytes, a row of its number of fields and the
// fields.
const COPY_HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FIELDS = POINT_COLUMNS.split(', ').length;
const COPY_TRAILER = -1;
/** Bytes of a point in addition to those of its device: attribute, time, value, and the two absent values. */
const MAX_POINT_BYTES = 4 + 12 + 12 + 4 + 4;
const MAX_CHARACTER_BYTES = 3;

/** Returns points in the binary format of `COPY`, which avoids text conversion in this process and in PostgreSQL. */
export function encodePoints(devices: readonly DevicePoints[]): Buffer {
  const keyed = devices.map((device) => ({ device, key: keyOf(device) }));
  const max = sum(keyed, ({ device, key }) => maxBytesOf(device, key.length));
  const rows = Buffer.allocUnsafe(COPY_HEADER.length + max + 2);
  let at = COPY_HEADER.copy(rows);
  for (const { device, key } of keyed)
    for (const { attribute, time, value } of device.points) {
      at += key.copy(rows, at);
      at = rows.writeInt32BE(attribute, at);
      at = writeInt64(rows, time, rows.writeInt32BE(8, at));
      at = writeValue(rows, value, at);
    }
  return rows.subarray(0, rows.writeInt16BE(COPY_TRAILER, at));
}

/** Returns the common start of all rows of a device, up to the bytes of the attribute. */
function keyOf({ deviceId, applicationId }: DevicePoints): Buffer {
  const ids = [deviceId, applicationId].map((id) => Buffer.from(id));
  const key = Buffer.allocUnsafe(2 + sum(ids, ({ length }) => 4 + length) + 4);
  let at = key.writeInt16BE(FIELDS, 0);
  for (const id of ids) at = writeBytes(key, id, at);
  key.writeInt32BE(4, at);
  return key;
}

function writeBytes(rows: Buffer, bytes: Buffer, at: number): number {
  const from = rows.writeInt32BE(bytes.length, at);
  return from + bytes.copy(rows, from);
}

/** Writes the number, boolean and text columns of a point, exactly one of which has a value. */
function writeValue(rows: Buffer, value: ReportValue, at: number): number {
  if (typeof value === 'number') {
    at = rows.writeDoubleBE(value, rows.writeInt32BE(8, at));
    return writeNull(rows, writeNull(rows, at));
  }
  at = writeNull(rows, at);
  if (typeof value === 'boolean')
    return writeNull(rows, rows.writeInt8(Number(value), rows.writeInt32BE(1, at)));
  at = writeNull(rows, at);
  const length = rows.write(value, at + 4);
  return rows.writeInt32BE(length, at) + length;
}

const maxBytesOf = ({ points }: DevicePoints, ofKey: number): number =>
  points.length * (ofKey + MAX_POINT_BYTES) + sum(points, maxTextBytes);

const maxTextBytes = ({ value }: Point): number =>
  typeof value === 'string' ? value.length * MAX_CHARACTER_BYTES : 0;

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
