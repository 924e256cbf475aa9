import type { DeviceTag, StoredAttribute, SystemAttribute } from '../devices/device.schemas.js';
import type { LastValue } from '../device-state/device-state.entity.js';
import type { ReportedValue } from '../device-state/reported-value.js';

/** What a device below a system reported last, as far as the system is made of it. */
export interface ChildValues {
  id: string;
  tags: readonly DeviceTag[];
  /** Its newest values by the names of its attributes; a long text is known by its time alone. */
  values: Readonly<Record<string, LastValue>>;
}

type Aggregation = NonNullable<SystemAttribute['aggregation']>;
type ChildAttribute = NonNullable<SystemAttribute['childAttributes']>[number];

/** The names of all attributes of children that the attributes of a system are made of. */
export const namesIn = (attributes: readonly StoredAttribute[]): string[] => [
  ...new Set(attributes.flatMap(({ system }) => (system?.childAttributes ?? []).map(({ name }) => name))),
];

/** Whether tags of children have a part in it. */
export const asksForTags = (attributes: readonly StoredAttribute[]): boolean =>
  attributes.some(({ system }) => system?.childAttributes?.some(({ deviceTags }) => deviceTags?.length));

/**
 * Sums up what the children of a system report, however many they are, a page of them after the other. Of a child nothing is
 * kept but its numbers, where all of them are needed at the end.
 */
export class SystemValues {
  private readonly makers: readonly Maker[];
  private newestTime = 0;

  constructor(attributes: readonly StoredAttribute[]) {
    this.makers = attributes.flatMap((attribute) => {
      const { childAttributes = [] } = attribute.system ?? {};
      if (childAttributes.length === 0) return [];
      return [{ name: attribute.name, takes: childAttributes.map(takingOf), sum: summing(attribute) }];
    });
  }

  /** When the newest of the values was reported, milliseconds since 1970. */
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

  /** The values of the system's attributes; of what nothing was reported there is none, but for how often. */
  data(): Record<string, ReportedValue> {
    const data: Record<string, ReportedValue> = {};
    for (const { name, sum } of this.makers) {
      const value = sum.end();
      if (value !== undefined) data[name] = value;
    }
    return data;
  }
}

/** Values that come one after the other, and what they come to. */
interface Sum {
  add: (value: LastValue) => void;
  end: () => ReportedValue | undefined;
}

/** An attribute of the system that is made of attributes of children. */
interface Maker {
  name: string;
  takes: readonly Taking[];
  sum: Sum;
}

interface Taking {
  name: string;
  isTaken: (child: ChildValues) => boolean;
}

function takingOf({ name, mode, deviceIds = [], deviceTags = [] }: ChildAttribute): Taking {
  if (mode === 'all') return { name, isTaken: () => true };
  const ids = new Set(deviceIds);
  const isNamed = ({ id, tags }: ChildValues) =>
    ids.has(id) ||
    deviceTags.some(({ key, value }) =>
      tags.some((tag) => (key ?? tag.key) === tag.key && (value ?? tag.value) === tag.value),
    );
  return { name, isTaken: mode === 'whitelist' ? isNamed : (child) => !isNamed(child) };
}

function summing({ dataType, system }: StoredAttribute): Sum {
  const usual = dataType === 'number' ? 'MEAN' : 'LAST';
  return SUMS[system?.aggregation ?? usual]();
}

/** The value that is the first in time, or the last: `isKept` says whether that of one time stays when another comes. */
function chosen(isKept: (kept: number, come: number) => boolean): Sum {
  let kept: LastValue | undefined;
  return {
    add: (value) => {
      if (!kept || !isKept(kept[0], value[0])) kept = value;
    },
    end: () => kept?.[1],
  };
}

/** What comes of numbers, of which there is one or more, with each that is added. */
function folded(
  fold: (total: number, one: number) => number,
  end = (total: number, _count: number) => total,
): Sum {
  let [total, count] = [0, 0];
  return {
    add: ([, value]) => {
      if (typeof value !== 'number') return;
      total = count++ === 0 ? value : fold(total, value);
    },
    end: () => (count > 0 ? end(total, count) : undefined),
  };
}

/** What comes of all numbers together, of which there is one or more. */
function together(end: (numbers: number[]) => number): Sum {
  const numbers: number[] = [];
  return {
    add: ([, value]) => {
      if (typeof value === 'number') numbers.push(value);
    },
    end: () => (numbers.length > 0 ? end(numbers) : undefined),
  };
}

function counted(): Sum {
  let count = 0;
  return { add: () => void count++, end: () => count };
}

const plus = (total: number, one: number): number => total + one;
const mean = (numbers: readonly number[]): number => numbers.reduce(plus) / numbers.length;

const SUMS: Readonly<Record<Aggregation, () => Sum>> = {
  COUNT: counted,
  FIRST: () => chosen((kept, come) => kept <= come),
  LAST: () => chosen((kept, come) => kept > come),
  MAX: () => folded((most, one) => Math.max(most, one)),
  MIN: () => folded((least, one) => Math.min(least, one)),
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
