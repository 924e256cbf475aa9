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

/** Sums up what the children of a system report, however many they are, a page of them after the other. */
export class SystemValues {
  private readonly found: LastValue[][];
  private readonly makers: readonly { attribute: StoredAttribute; takes: readonly Taking[] }[];
  private newestTime = 0;

  constructor(attributes: readonly StoredAttribute[]) {
    this.makers = attributes.flatMap((attribute) => {
      const { childAttributes = [] } = attribute.system ?? {};
      return childAttributes.length > 0 ? [{ attribute, takes: childAttributes.map(takingOf) }] : [];
    });
    this.found = this.makers.map(() => []);
  }

  /** When the newest of the values was reported, milliseconds since 1970. */
  get newest(): number {
    return this.newestTime;
  }

  add(child: ChildValues): void {
    this.makers.forEach(({ takes }, i) => {
      for (const { name, isTaken } of takes) {
        const value = child.values[name];
        if (!value || !isTaken(child)) continue;
        this.found[i]!.push(value);
        this.newestTime = Math.max(this.newestTime, value[0]);
      }
    });
  }

  /** The values of the system's attributes; of what nothing was reported there is none, but for how often. */
  data(): Record<string, ReportedValue> {
    const data: Record<string, ReportedValue> = {};
    this.makers.forEach(({ attribute: { name, dataType, system } }, i) => {
      const usual = dataType === 'number' ? 'MEAN' : 'LAST';
      const value = aggregated(system?.aggregation ?? usual, this.found[i]!);
      if (value !== undefined) data[name] = value;
    });
    return data;
  }
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

function aggregated(aggregation: Aggregation, values: readonly LastValue[]): ReportedValue | undefined {
  switch (aggregation) {
    case 'COUNT':
      return values.length;
    case 'FIRST':
      return values.reduce<LastValue | undefined>(
        (first, one) => (first && first[0] <= one[0] ? first : one),
        undefined,
      )?.[1];
    case 'LAST':
      return values.reduce<LastValue | undefined>(
        (last, one) => (last && last[0] > one[0] ? last : one),
        undefined,
      )?.[1];
    default: {
      const numbers = values.flatMap(([, value]) => (typeof value === 'number' ? [value] : []));
      return numbers.length > 0 ? OF_NUMBERS[aggregation](numbers) : undefined;
    }
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

/** Of one number or more. */
const OF_NUMBERS: Readonly<
  Record<Exclude<Aggregation, 'COUNT' | 'FIRST' | 'LAST'>, (numbers: readonly number[]) => number>
> = {
  MAX: (numbers) => numbers.reduce((most, one) => Math.max(most, one)),
  MIN: (numbers) => numbers.reduce((least, one) => Math.min(least, one)),
  SUM: sum,
  MEAN: mean,
  MEDIAN: (numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  },
  STD_DEV: (numbers) => {
    const of = mean(numbers);
    return Math.sqrt(mean(numbers.map((one) => (one - of) ** 2)));
  },
};
