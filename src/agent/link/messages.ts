import { gunzipSync } from 'node:zlib';
import { isObject } from '../../lib/json/json.js';
import { isTooDeep } from '../../workflows/language/json-depth.js';

/** Largest message after decompression. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 200;

/** Reads a message of the platform: an object as JSON, compressed or not. Throws an error. */
export function readMessage(payload: Buffer): Readonly<Record<string, unknown>> {
  const isCompressed = payload[0] === 0x1f && payload[1] === 0x8b;
  const bytes = isCompressed ? gunzipSync(payload, { maxOutputLength: MAX_BYTES }) : payload;
  const value: unknown = JSON.parse(bytes.toString());
  if (!isObject(value) || isTooDeep(value, MAX_DEPTH)) throw new Error('it is not an object of JSON');
  return value;
}

/** Returns the data of a `deviceCommand` trigger. Dates of the platform are extended JSON. */
export function commandOf({ name, payload, time }: Readonly<Record<string, unknown>>): object {
  const given = isObject(time) ? time.$date : time;
  const date = new Date(typeof given === 'string' || typeof given === 'number' ? given : Date.now());
  return {
    name,
    ...(payload === undefined ? {} : { payload }),
    time: Number.isNaN(date.getTime()) ? new Date() : date,
  };
}
