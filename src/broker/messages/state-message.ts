import { isUtf8 } from 'node:buffer';
import { ValidationError } from '../../lib/errors/errors.js';
import { hasMoreValues, inspect } from '../../platform/server/read-body.js';
import type { ReceivedState } from '../../modules/devices/device-state/device-state.schemas.js';
import type { ReportTime } from '../../modules/devices/device-state/report-time.js';
import type { ReportValue } from '../../modules/devices/device-state/report-value.js';

/** States of a message; `isBatch` if it contains an array. */
export interface ReceivedReport {
  states: ReceivedState[];
  isBatch: boolean;
}

/** As many as in a request. */
const MAX_STATES = 1_000;
const MAX_VALUES = 100_000;
const MAX_VERSION_LENGTH = 255;

/**
 * Reads a report of a device, in plain or extended JSON. Values and properties that no report can have are left out,
 * because MQTT has no errors for them. Throws a `ValidationError` if the message is not a report.
 */
export function readReport(message: Buffer): ReceivedReport {
  const value = readJson(message);
  const isBatch = Array.isArray(value);
  const found = isBatch ? (value as unknown[]) : [value];
  if (found.length > MAX_STATES) throw new ValidationError(`A report must have at most ${MAX_STATES} states`);
  return { states: found.map(stateOf), isBatch };
}

/** Reads JSON of a client: UTF-8, without values that the database or serializers cannot take. */
export function readJson(message: Buffer): unknown {
  if (!isUtf8(message)) throw new ValidationError('The message is not UTF-8');
  if (message.length > MAX_VALUES && hasMoreValues(message, MAX_VALUES))
    throw new ValidationError('The message has too many values');
  let value: unknown;
  try {
    value = JSON.parse(message.toString());
  } catch {
    throw new ValidationError('The message is not valid JSON');
  }
  inspect(value, 'The message', MAX_VALUES);
  return value;
}

function stateOf(value: unknown): ReceivedState {
  if (!isObject(value) || !isObject(value.data)) throw new ValidationError('A state must have data');
  const { time, meta, flowVersion } = value;
  const data: Record<string, ReportValue> = {};
  for (const [name, given] of Object.entries(value.data)) {
    const plain = plainOf(given);
    if (isReportValue(plain)) data[name] = plain;
  }
  return {
    data,
    time: timeOf(plainOf(time)),
    meta: plainOf(meta),
    flowVersion: isVersion(flowVersion) ? flowVersion : undefined,
  };
}

/** Returns a value of extended JSON as plain JSON, with dates in ISO 8601. */
function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (!isObject(value)) return value;
  if (value.$undefined === true) return undefined;
  if ('$date' in value) return dateOf(value.$date);
  if ('$numberLong' in value) return Number(value.$numberLong);
  return Object.fromEntries(Object.entries(value).map(([name, given]) => [name, plainOf(given)]));
}

/** Returns a date in ISO 8601. Other text is returned as it is, and then treated like any other time. */
function dateOf(given: unknown): unknown {
  const plain = plainOf(given);
  const isTime = typeof plain === 'number' && Math.abs(plain) <= 8.64e15;
  return isTime ? new Date(plain).toISOString() : plain;
}

const timeOf = (time: unknown): ReportTime | undefined =>
  typeof time === 'string' || typeof time === 'number' ? time : undefined;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isReportValue = (value: unknown): value is ReportValue =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= MAX_VERSION_LENGTH;
