import type { DataType } from '../devices/device.schemas.js';
import { placeOf } from './device-places.js';

/** What a report may say of an attribute. */
export type ReportedValue = string | number | boolean;

/** Larger numbers measure nothing, and their squares could not be added up. */
export const LARGEST_NUMBER = 1e100;
/** Bytes of UTF-8. */
const MOST_BYTES = 64 * 1024;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const LONGEST_NUMBER = 400;
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * What is stored for a value of an attribute of that type: a number, a boolean, or text, with places in one form. Nothing where the
 * value cannot be one of that type.
 */
export function castValue(type: DataType, value: ReportedValue): ReportedValue | undefined {
  switch (type) {
    case 'number':
      return numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'gps':
      return typeof value === 'string' ? placeOf(value) : undefined;
    case 'string':
    case 'blob':
      return textOf(String(value));
  }
}

function numberOf(value: ReportedValue): number | undefined {
  const number = typeof value === 'string' ? numberIn(value) : Number(value);
  // Not `-0`, which PostgreSQL takes for another text.
  return Math.abs(number) <= LARGEST_NUMBER ? number + 0 : undefined;
}

function numberIn(text: string): number {
  if (text.length > LONGEST_NUMBER) return Number.NaN;
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function booleanOf(value: ReportedValue): boolean | undefined {
  if (typeof value === 'string') return BOOLEANS.get(value.trim().toLowerCase());
  return typeof value === 'number' ? value !== 0 : value;
}

function textOf(text: string): string | undefined {
  if (text.length > MOST_BYTES) return undefined;
  return text.length * 3 <= MOST_BYTES || Buffer.byteLength(text) <= MOST_BYTES ? text : undefined;
}
