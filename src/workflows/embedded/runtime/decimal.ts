import { BigNumber } from './big-number';

/** Digits beyond this cannot change the nearest number, except by whether any of them is not zero. */
const MOST_DIGITS: i32 = 800;

/** All integers below this are exact doubles. */
const EXACT_INTEGERS: u64 = 1 << 53;

/** Powers of ten that are exact doubles. */
const POWERS: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
];
const MOST_POWER: i32 = 22;

// Reused to avoid allocations; every user overwrites them.
const numerator = new BigNumber();
const denominator = new BigNumber();
const above = new BigNumber();
const below = new BigNumber();
const sum = new BigNumber();

/**
 * Returns the double nearest to the decimal between `from` and `to` (exclusive): digits with optional sign, point and
 * exponent, validated by the caller.
 */
export function numberOfDecimal(text: string, from: i32, to: i32): f64 {
  const sign = text.charCodeAt(from);
  let at = sign == 0x2d || sign == 0x2b ? from + 1 : from;
  let mantissa: u64 = 0;
  let digits = 0;
  let exponent = 0;
  let isFraction = false;
  let hasMore = false;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code == 0x2e) {
      isFraction = true;
      continue;
    }
    const digit = code - 0x30;
    if (digit < 0 || digit > 9) break;
    if (isFraction) exponent--;
    if (digits == 0 && digit == 0) continue;
    if (digits == MOST_DIGITS) {
      exponent++;
      hasMore = hasMore || digit > 0;
      continue;
    }
    if (digits < 19) mantissa = mantissa * 10 + digit;
    if (digits == 19) numerator.set(mantissa);
    if (digits >= 19) numerator.multiplyAdd(10, digit);
    digits++;
  }
  if (at < to) exponent += exponentOf(text, at + 1, to);
  if (digits <= 19) numerator.set(mantissa);
  if (hasMore) {
    numerator.multiplyAdd(10, 1);
    exponent--;
  }
  const magnitude = nearestTo(mantissa, digits, exponent);
  return sign == 0x2d ? -magnitude : magnitude;
}

function exponentOf(text: string, from: i32, to: i32): i32 {
  const sign = text.charCodeAt(from);
  let exponent = 0;
  for (let at = sign == 0x2d || sign == 0x2b ? from + 1 : from; at < to; at++) {
    // Clamped, because the mantissa can have as many digits as the text is long.
    exponent = min(exponent * 10 + text.charCodeAt(at) - 0x30, 100_000_000);
  }
  return sign == 0x2d ? -exponent : exponent;
}

/** Returns the double nearest to the numerator times a power of ten, rounding half to even. */
function nearestTo(mantissa: u64, digits: i32, exponent: i32): f64 {
  if (digits == 0 || digits + exponent < -330) return 0;
  if (digits + exponent > 310) return Infinity;
  if (digits <= 19 && mantissa <= EXACT_INTEGERS && exponent >= -MOST_POWER && exponent <= MOST_POWER) {
    return exponent < 0 ? <f64>mantissa / POWERS[-exponent] : <f64>mantissa * POWERS[exponent];
  }
  denominator.set(1);
  if (exponent < 0) denominator.timesPowerOfTen(-exponent);
  else numerator.timesPowerOfTen(exponent);
  // Invariant from here on: the number is numerator / denominator * 2 ** scale, with a quotient in [1, 2).
  let scale = numerator.bits - denominator.bits;
  if (scale >= 0) denominator.shiftLeft(scale);
  else numerator.shiftLeft(-scale);
  if (numerator.compare(denominator) < 0) {
    numerator.shiftLeft(1);
    scale--;
  }
  const precision = min(53, scale + 1075);
  if (precision < 0) return 0;
  let bits: u64 = 0;
  for (let i = 0; i < precision; i++) {
    bits <<= 1;
    if (numerator.compare(denominator) >= 0) {
      numerator.subtract(denominator);
      bits |= 1;
    }
    numerator.shiftLeft(1);
  }
  const rest = numerator.compare(denominator);
  if (rest > 0 || (rest == 0 && (bits & 1) == 1)) bits++;
  return <f64>bits * powerOfTwo(scale - precision + 1);
}

function powerOfTwo(exponent: i32): f64 {
  if (exponent >= -1022) return reinterpret<f64>((<u64>(exponent + 1023)) << 52);
  return reinterpret<f64>((<u64>1) << (exponent + 1074));
}

/** Shortest digits that identify a double, and the position of their decimal point. */
@final
export class Digits {
  /** Character codes of the digits. */
  readonly codes: StaticArray<u8> = new StaticArray<u8>(24);
  count: i32 = 0;
  /** Number of digits before the decimal point; can be negative or greater than the number of digits. */
  point: i32 = 0;

  /** Converts a number that is finite and greater than 0. */
  read(value: f64): this {
    if (!this.readShort(value)) this.readExact(value);
    while (this.count > 1 && this.codes[this.count - 1] == 0x30) this.count--;
    return this;
  }

  /** Tries decimals of up to 15 digits, which are always distinct doubles. */
  private readShort(value: f64): bool {
    for (let power = 0; power <= MOST_POWER; power++) {
      const scaled = value * POWERS[power];
      if (scaled >= 1e15) return false;
      const integer = nearest<f64>(scaled);
      if (integer / POWERS[power] != value) continue;
      this.count = 0;
      let rest = <u64>integer;
      let size = 1;
      for (let tens: u64 = 10; tens <= rest; tens *= 10) size++;
      for (let i = size - 1; i >= 0; i--) {
        this.codes[i] = <u8>(0x30 + (rest % 10));
        rest /= 10;
      }
      this.count = size;
      this.point = size - power;
      return true;
    }
    return false;
  }

  /**
   * Generates digits until the remainder is within half the distance to the adjacent doubles (Steele and White, 1990).
   */
  private readExact(value: f64): void {
    const raw = reinterpret<u64>(value);
    const field = <i32>(raw >> 52);
    const fraction = raw & 0x000f_ffff_ffff_ffff;
    const mantissa = field == 0 ? fraction : fraction | (EXACT_INTEGERS >> 1);
    const exponent = max(field, 1) - 1075;
    const isEven = (mantissa & 1) == 0;
    // The next double below a power of two is only half as far away.
    const extra = fraction == 0 && field > 1 ? 1 : 0;
    numerator.set(mantissa).shiftLeft(max(exponent, 0) + 1 + extra);
    denominator.set(1).shiftLeft(max(-exponent, 0) + 1 + extra);
    below.set(1).shiftLeft(max(exponent, 0));
    above.copy(below).shiftLeft(extra);
    const binary = 63 - <i32>clz(mantissa) + exponent;
    let point = <i32>Math.ceil(<f64>binary * 0.3010299956639812 - 1e-10);
    if (point >= 0) {
      denominator.timesPowerOfTen(point);
    } else {
      numerator.timesPowerOfTen(-point);
      above.timesPowerOfTen(-point);
      below.timesPowerOfTen(-point);
    }
    const reach = sum.copy(numerator).add(above).compare(denominator);
    if (reach > 0 || (reach == 0 && isEven)) {
      point++;
    } else {
      this.shiftDigit();
    }
    this.point = point;
    this.count = 0;
    while (true) {
      let digit = 0;
      for (; numerator.compare(denominator) >= 0; digit++) numerator.subtract(denominator);
      const down = numerator.compare(below);
      const up = sum.copy(numerator).add(above).compare(denominator);
      const isLow = down < 0 || (down == 0 && isEven);
      const isHigh = up > 0 || (up == 0 && isEven);
      if (isLow || isHigh) {
        const nearer = isLow && isHigh ? numerator.shiftLeft(1).compare(denominator) : isHigh ? 1 : -1;
        this.put(nearer > 0 || (nearer == 0 && (digit & 1) == 1) ? digit + 1 : digit);
        return;
      }
      this.put(digit);
      this.shiftDigit();
    }
  }

  private put(digit: i32): void {
    this.codes[this.count++] = <u8>(0x30 + digit);
  }

  private shiftDigit(): void {
    numerator.multiplyAdd(10, 0);
    above.multiplyAdd(10, 0);
    below.multiplyAdd(10, 0);
  }
}
