import { Digits, numberOfDecimal } from './decimal';
import { TextBuilder } from './text-builder';

const digits = new Digits();

/** Formats a number as JavaScript does: the shortest text that is parsed as the same number. */
export function textOfNumber(value: f64): string {
  if (isNaN(value)) return 'NaN';
  if (value == 0) return '0';
  const to = new TextBuilder();
  if (value < 0) to.unit(0x2d);
  if (!isFinite(value)) return to.append('Infinity').text;
  digits.read(abs(value));
  const count = digits.count;
  const point = digits.point;
  if (point > 21 || point < -5) {
    putDigits(to, 0, 1);
    if (count > 1) {
      to.unit(0x2e);
      putDigits(to, 1, count);
    }
    to.unit(0x65).unit(point > 0 ? 0x2b : 0x2d);
    const exponent = abs(point - 1);
    if (exponent >= 100) to.unit(0x30 + exponent / 100);
    if (exponent >= 10) to.unit(0x30 + ((exponent / 10) % 10));
    return to.unit(0x30 + (exponent % 10)).text;
  }
  if (point <= 0) {
    to.append('0.');
    putZeros(to, -point);
  }
  putDigits(to, 0, min(count, point));
  putZeros(to, point - count);
  if (point > 0 && point < count) to.unit(0x2e);
  putDigits(to, max(point, 0), count);
  return to.text;
}

function putDigits(to: TextBuilder, from: i32, end: i32): void {
  for (let i = from; i < end; i++) to.unit(digits.codes[i]);
}

function putZeros(to: TextBuilder, count: i32): void {
  for (let i = 0; i < count; i++) to.unit(0x30);
}

/** Parses a number as JavaScript does: NaN if the text is not a number, 0 if it is blank. */
export function numberOfText(text: string): f64 {
  // `trim` fails on long leading white space (AssemblyScript 0.28).
  const trimmed = text.trimStart().trimEnd();
  if (trimmed.length == 0) return 0;
  if (trimmed.length > 2 && trimmed.charCodeAt(0) == 0x30) {
    const mark = trimmed.charCodeAt(1) | 0x20;
    if (mark == 0x78) return integerOf(trimmed, 16);
    if (mark == 0x6f) return integerOf(trimmed, 8);
    if (mark == 0x62) return integerOf(trimmed, 2);
  }
  const first = trimmed.charCodeAt(0);
  const isSigned = first == 0x2b || first == 0x2d;
  const from = isSigned ? 1 : 0;
  if (isDecimal(trimmed, from)) return numberOfDecimal(trimmed, 0, trimmed.length);
  if (trimmed.length - from != 8 || !trimmed.endsWith('Infinity')) return NaN;
  return first == 0x2d ? -Infinity : Infinity;
}

/** Parses the digits after a base prefix. */
function integerOf(text: string, base: i32): f64 {
  let value: f64 = 0;
  for (let i = 2; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    const digit =
      code >= 0x30 && code <= 0x39 ? code - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 16;
    if (digit >= base) return NaN;
    value = value * base + digit;
  }
  return value;
}

function isDecimal(text: string, from: i32): bool {
  let at = skipDigits(text, from);
  let digits = at - from;
  if (at < text.length && text.charCodeAt(at) == 0x2e) {
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    digits += at - fraction;
  }
  if (digits == 0) return false;
  if (at < text.length && (text.charCodeAt(at) | 0x20) == 0x65) {
    const sign = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    const exponent = sign == 0x2b || sign == 0x2d ? at + 2 : at + 1;
    at = skipDigits(text, exponent);
    if (at == exponent) return false;
  }
  return at == text.length;
}

function skipDigits(text: string, from: i32): i32 {
  let at = from;
  while (at < text.length && text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++;
  return at;
}
