import type { DeviceTag, StoredAttribute, SystemAttribute } from '../devices/device.schemas.js';
import type { LastValue } from '../device-state/device-state.entity.js';
import type { ReportValue } from '../device-state/report-value.js';

/** Newest stored values of a child device that a system aggregates. */
export interface ChildValues {
  id: string;
  tags: readonly DeviceTag[];
  /** Newest values by attribute name; a long text has only its time. */
  values: Readonly<Record<string, LastValue>>;
}

type Aggregation = NonNullable<SystemAttribute['aggregation']>;
type ChildAttribute = NonNullable<SystemAttribute['childAttributes']>[number];

/** Returns the names of all child attributes that the attributes of a system aggregate. */
export const namesIn = (attributes: readonly StoredAttribute[]): string[] => [
  ...new Set(attributes.flatMap(({ system }) => (system?.childAttributes ?? []).map(({ name }) => name))),
];

/** Returns whether the selection of children depends on their tags. */
export const hasTagFilter = (attributes: readonly StoredAttribute[]): boolean =>
  attributes.some(({ system }) => system?.childAttributes?.some(({ deviceTags }) => deviceTags?.length));

/**
 * Aggregates the values of any number of children of a system, page by page. The numbers of children are kept in memory
 * only if the aggregation needs all of them at the end.
 */
export class SystemValues {
  private readonly makers: readonly SystemAttributeRule[];
  private newestTime = 0;

  constructor(attributes: readonly StoredAttribute[]) {
    this.makers = attributes.flatMap((attribute) => {
      const { childAttributes = [] } = attribute.system ?? {};
      if (childAttributes.length === 0) return [];
      return [
        { name: attribute.name, takes: childAttributes.map(childSelection), sum: accumulate(attribute) },
      ];
    });
  }

  /** Time of the newest value, in milliseconds since 1970. */
  get newest(): number {
    return this.newestTime;
  }

  add(child: ChildValues): void {
    for (const { takes, sum } of this.makers)
      for (const { name, isTaken } of takes) {
        const value = child.values[name];
        if (!value || !isTaken(child)) continue;
        sum.add(value);
        this.newestTime = Math.max(this.newestTime, value[0]);
      }
  }

  /** Returns the values of the system's attributes. Attributes without stored values are omitted, except counts. */
  data(): Record<string, ReportValue> {
    const data: Record<string, ReportValue> = {};
    for (const { name, sum } of this.makers) {
      const value = sum.end();
      if (value !== undefined) data[name] = value;
    }
    return data;
  }
}

/** Accumulator of values. */
interface Accumulator {
  add: (value: LastValue) => void;
  end: () => ReportValue | undefined;
}

/** Attribute of a system with the child attributes that it aggregates. */
interface SystemAttributeRule {
  name: string;
  takes: readonly ChildSelection[];
  sum: Accumulator;
}

interface ChildSelection {
  name: string;
  isTaken: (child: ChildValues) => boolean;
}

function childSelection({ name, mode, deviceIds = [], deviceTags = [] }: ChildAttribute): ChildSelection {
  if (mode === 'all') return { name, isTaken: () => true };
  const ids = new Set(deviceIds);
  const isNamed = ({ id, tags }: ChildValues) =>
    ids.has(id) ||
    deviceTags.some(({ key, value }) =>
      tags.some((tag) => (key ?? tag.key) === tag.key && (value ?? tag.value) === tag.value),
    );
  return { name, isTaken: mode === 'whitelist' ? isNamed : (child) => !isNamed(child) };
}

function accumulate({ dataType, system }: StoredAttribute): Accumulator {
  const usual = dataType === 'number' ? 'MEAN' : 'LAST';
  return SUMS[system?.aggregation ?? usual]();
}

/**
 * Returns an accumulator for the first or last value by time; `isKept` decides whether the current value is kept when
 * another one is added.
 */
function chosen(isKept: (kept: number, come: number) => boolean): Accumulator {
  let kept: LastValue | undefined;
  return {
    add: (value) => {
      if (!kept || !isKept(kept[0], value[0])) kept = value;
    },
    end: () => kept?.[1],
  };
}

/** Returns an accumulator that combines each added number with the current result, for one or more numbers. */
function folded(
  fold: (total: number, one: number) => number,
  end = (total: number, _count: number) => total,
): Accumulator {
  let [total, count] = [0, 0];
  return {
    add: ([, value]) => {
      if (typeof value !== 'number') return;
      total = count++ === 0 ? value : fold(total, value);
    },
    end: () => (count > 0 ? end(total, count) : undefined),
  };
}

/** Returns an accumulator that calculates its result from all numbers at the end, for one or more numbers. */
function together(end: (numbers: number[]) => number): Accumulator {
  const numbers: number[] = [];
  return {
    add: ([, value]) => {
      if (typeof value === 'number') numbers.push(value);
    },
    end: () => (numbers.length > 0 ? end(numbers) : undefined),
  };
}

function counted(): Accumulator {
  let count = 0;
  return { add: () => void count++, end: () => count };
}

const plus = (total: number, one: number): number => total + one;
const mean = (numbers: readonly number[]): number => numbers.reduce(plus) / numbers.length;

const SUMS: Readonly<Record<Aggregation, () => Accumulator>> = {
  COUNT: counted,
  FIRST: () => chosen((kept, come) => kept <= come),
  LAST: () => chosen((kept, come) => kept > come),
  MAX: () => folded((max, one) => Math.max(max, one)),
  MIN: () => folded((min, one) => Math.min(min, one)),
  SUM: () => folded(plus),
  MEAN: () => folded(plus, (total, count) => total / count),
  MEDIAN: () =>
    together((numbers) => {
      numbers.sort((a, b) => a - b);
      const middle = numbers.length >> 1;
      return numbers.length % 2 === 1 ? numbers[middle]! : (numbers[middle - 1]! + numbers[middle]!) / 2;
    }),
  STD_DEV: () =>
    together((numbers) => {
      const of = mean(numbers);
      return Math.sqrt(mean(numbers.map((one) => (one - of) ** 2)));
    }),
};
