import type { DataType } from '../devices/device.schemas.js';
import { parseLocation } from './device-locations.js';

/** Value of an attribute in a report. */
export type ReportValue = string | number | boolean;

/** Larger numbers are not measurements, and the sum of their squares would overflow. */
export const MAX_NUMBER = 1e100;
/** Maximum size of a text, in bytes of UTF-8. */
const MAX_BYTES = 64 * 1024;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MAX_NUMBER_LENGTH = 400;
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Returns the accepted value for an attribute of a type: a number, a boolean, or text, with locations in a uniform
 * format. Returns `undefined` if the value cannot be converted.
 */
export function castValue(type: DataType, value: ReportValue): ReportValue | undefined {
  switch (type) {
    case 'number':
      return numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'gps':
      return typeof value === 'string' ? parseLocation(value) : undefined;
    case 'string':
    case 'blob':
      return textOf(String(value));
  }
}

function numberOf(value: ReportValue): number | undefined {
  const number = typeof value === 'string' ? numberIn(value) : Number(value);
  // Avoids `-0`, whose text differs from `0` in PostgreSQL.
  return Math.abs(number) <= MAX_NUMBER ? number + 0 : undefined;
}

function numberIn(text: string): number {
  if (text.length > MAX_NUMBER_LENGTH) return Number.NaN;
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function booleanOf(value: ReportValue): boolean | undefined {
  if (typeof value === 'string') return BOOLEANS.get(value.trim().toLowerCase());
  return typeof value === 'number' ? value !== 0 : value;
}

function textOf(text: string): string | undefined {
  if (text.length > MAX_BYTES) return undefined;
  return text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES ? text : undefined;
}
