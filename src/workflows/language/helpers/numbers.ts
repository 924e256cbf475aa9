import { formatLocale, formatSpecifier } from 'd3-format';
import { numberOf } from '../evaluate.js';
import { templateFault } from '../handlebars/budget.js';
import type { Helper } from '../handlebars/dialect.js';

/** Largest width of a formatted number. */
const MAX_WIDTH = 100;

/** American signs, with a hyphen as minus, so that a formatted number can be read as one. */
const LOCALE = formatLocale({
  decimal: '.',
  thousands: ',',
  grouping: [3],
  currency: ['$', ''],
  minus: '-',
});

const number = (value: unknown): number => numberOf(value ?? 0);

const ofNumbers =
  (compute: (...numbers: number[]) => number): Helper =>
  (args) =>
    compute(...args.map(number));

const ofTwo =
  (compute: (one: number, other: number) => number): Helper =>
  ([one, other]) =>
    compute(number(one), number(other));

/** Helpers of numbers. A date is its milliseconds, a missing value 0. */
export const NUMBER_HELPERS: Readonly<Record<string, Helper>> = {
  add: ofTwo((one, other) => one + other),
  subtract: ofTwo((one, other) => one - other),
  multiply: ofTwo((one, other) => one * other),
  divide: ofTwo((one, other) => one / other),
  ceil: ([value]) => Math.ceil(number(value)),
  floor: ([value]) => Math.floor(number(value)),
  max: ofNumbers(Math.max),
  min: ofNumbers(Math.min),
  scaleLinear: ([fromLow, fromHigh, toLow, toHigh, value]) => {
    const [low, high] = [number(toLow), number(toHigh)];
    const share = (number(value) - number(fromLow)) / (number(fromHigh) - number(fromLow));
    return low + share * (high - low);
  },
};

/** Formats a number with a specifier of d3-format. Throws a `RunFault` for an invalid one. */
export function formattedNumber(value: number, format: string): string {
  return LOCALE.format(checkedFormat(format))(value);
}

function checkedFormat(format: string): string {
  try {
    if (format.length <= MAX_WIDTH && (formatSpecifier(format).width ?? 0) <= MAX_WIDTH) return format;
  } catch {
    // The error of d3-format is replaced by the one below.
  }
  throw templateFault(`${JSON.stringify(format.slice(0, MAX_WIDTH))} is not a format of numbers`);
}
