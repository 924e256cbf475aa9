import { isDeepStrictEqual } from 'node:util';

/** Verdict on a value: whether it counts as a change, and which value the next one is compared with. */
export interface Verdict {
  readonly isChange: boolean;
  readonly next: unknown;
}

type Compare = (previous: number, value: number, threshold: number) => Verdict;

const rise = (previous: number, value: number): number => value - previous;
/** Percentage of the previous value, of which any change from 0 exceeds every threshold. */
const percentage = (previous: number, value: number): number =>
  value === previous ? 0 : ((value - previous) / Math.abs(previous)) * 100;

type Measure = typeof rise;

/** Changes in both directions. The value that was last a change is compared with. */
const either =
  (measure: Measure): Compare =>
  (previous, value, threshold) => {
    const isChange = value !== previous && Math.abs(measure(previous, value)) >= threshold;
    return { isChange, next: isChange ? value : previous };
  };

/** Changes upwards from the lowest value since the last change. */
const upwards =
  (measure: Measure): Compare =>
  (previous, value, threshold) => {
    const isChange = value > previous && measure(previous, value) >= threshold;
    return { isChange, next: isChange || value < previous ? value : previous };
  };

/** Changes downwards from the highest value since the last change. */
const downwards =
  (measure: Measure): Compare =>
  (previous, value, threshold) => {
    const isChange = value < previous && -measure(previous, value) >= threshold;
    return { isChange, next: isChange || value > previous ? value : previous };
  };

const COMPARISONS = {
  value: either(rise),
  valueInc: upwards(rise),
  valueDec: downwards(rise),
  percent: either(percentage),
  percentInc: upwards(percentage),
  percentDec: downwards(percentage),
} as const;

export const CHANGE_TYPES = ['any', ...(Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[])] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Judges a value. The first one is no change. Types other than `any` ignore values that are not numeric. */
export function judge(
  type: ChangeType,
  known: { value?: unknown } | undefined,
  value: unknown,
  threshold: number,
): Verdict {
  if (type === 'any')
    return { isChange: known !== undefined && !isDeepStrictEqual(known.value, value), next: value };
  const number = numeric(value);
  if (number === undefined) return { isChange: false, next: known?.value };
  const previous = numeric(known?.value);
  if (previous === undefined) return { isChange: false, next: number };
  return COMPARISONS[type](previous, number, threshold);
}

function numeric(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
