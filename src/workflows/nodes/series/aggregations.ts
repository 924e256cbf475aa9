/** Aggregations of the API. */
export const AGGREGATIONS = [
  'FIRST',
  'LAST',
  'COUNT',
  'MAX',
  'MIN',
  'MEDIAN',
  'MEAN',
  'SUM',
  'STD_DEV',
  'TIMEATVALUE',
  'NONE',
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** Value of an attribute at a time. */
export interface Point {
  readonly time: Date;
  readonly value: unknown;
}

/** Value of one of several devices, and the number of values that it is made of. */
export interface Part {
  readonly value: unknown;
  readonly count: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;
const extreme = (numbers: readonly number[], sign: 1 | -1): number =>
  sign * numbers.reduce((one, other) => Math.max(one, sign * other), -Infinity);

function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function deviation(numbers: readonly number[]): number {
  const center = mean(numbers);
  return Math.sqrt(mean(numbers.map((number) => (number - center) ** 2)));
}

const numbersOf = (values: readonly unknown[]): number[] =>
  values.filter((value) => typeof value === 'number');

/** Aggregations of numbers. */
const NUMERIC: Partial<Record<Aggregation, (numbers: readonly number[]) => number>> = {
  MAX: (numbers) => extreme(numbers, 1),
  MIN: (numbers) => extreme(numbers, -1),
  MEAN: mean,
  MEDIAN: median,
  STD_DEV: deviation,
  SUM: sum,
};

/** Aggregations that follow from those of each device. */
const OF_PARTS: Partial<Record<Aggregation, (parts: readonly Part[]) => number>> = {
  COUNT: (parts) => sum(numbersOf(parts.map(({ value }) => value))),
  MAX: (parts) => extreme(numbersOf(parts.map(({ value }) => value)), 1),
  MIN: (parts) => extreme(numbersOf(parts.map(({ value }) => value)), -1),
  MEAN: (parts) =>
    sum(parts.map(({ value, count }) => Number(value) * count)) / sum(parts.map(({ count }) => count)),
  SUM: (parts) => sum(numbersOf(parts.map(({ value }) => value))),
  TIMEATVALUE: (parts) => sum(numbersOf(parts.map(({ value }) => value))),
};

/** Returns how an aggregation over several devices follows from those of each, or `undefined` if it needs all points. */
export const combinationOf = (type: Aggregation): ((parts: readonly Part[]) => number) | undefined =>
  OF_PARTS[type];

/** Aggregates points, at least one. Returns `undefined` if the aggregation has no result for their values. */
export function aggregated(type: Aggregation, points: readonly Point[]): unknown {
  if (type === 'COUNT') return points.length;
  const numeric = NUMERIC[type];
  if (numeric) {
    const numbers = numbersOf(points.map(({ value }) => value));
    return numbers.length > 0 ? numeric(numbers) : undefined;
  }
  return (type === 'FIRST' ? points.reduce(earlier) : points.reduce(later)).value;
}

const earlier = (one: Point, other: Point): Point => (other.time < one.time ? other : one);
/** Returns the later of two points. */
export const later = (one: Point, other: Point): Point => (other.time > one.time ? other : one);
