/** A value reported by a device. */
export interface PlainPoint {
  attribute: string;
  time: number;
  value: number | string | boolean;
}

/** Parameters of a series query. */
export interface PlainQuery {
  start: number;
  end: number;
  resolution: number | null;
  type: string;
  value?: unknown;
  limit?: number | null;
  order?: 'asc' | 'desc';
}

type Data = Record<string, unknown>;

/**
 * Computes the series of one device with a simple reference implementation: all points in memory, one step after the
 * other.
 */
export function plainSeries(
  reported: readonly PlainPoint[],
  query: PlainQuery,
): { time: string; data: Data }[] {
  const { start, end, resolution, type, limit, order = 'asc' } = query;
  const steps = new Map<number, Data>();
  const add = (time: number, attribute: string, value: unknown) => {
    if (value === undefined) return;
    steps.set(time, { ...steps.get(time), [attribute]: value });
  };
  for (const [attribute, points] of pointsByAttribute(reported)) {
    const within = points.filter(({ time }) => time >= start && time < end);
    if (type === 'NONE') for (const { time, value } of within) add(time, attribute, value);
    else if (type === 'TIMEATVALUE')
      for (const [step, value] of timesAt(points, query)) add(step, attribute, value);
    else {
      const begins = [...new Set(within.map(({ time }) => stepOf(time, resolution, start)))];
      for (const step of begins) {
        const values = within
          .filter(({ time }) => stepOf(time, resolution, start) === step)
          .map(({ value }) => value);
        add(step, attribute, aggregated(type, values));
      }
    }
  }
  const times = [...steps.keys()].sort((a, b) => (order === 'asc' ? a - b : b - a));
  return times.slice(0, limit ?? undefined).map((time) => ({
    time: new Date(time).toISOString(),
    data: steps.get(time)!,
  }));
}

/** Orders points by time; of two points at the same time, the last reported one is kept. */
function pointsByAttribute(points: readonly PlainPoint[]): Map<string, PlainPoint[]> {
  const attributes = new Map<string, Map<number, PlainPoint>>();
  for (const point of points)
    attributes.set(
      point.attribute,
      (attributes.get(point.attribute) ?? new Map<number, PlainPoint>()).set(point.time, point),
    );
  return new Map(
    [...attributes].map(([name, times]) => [name, [...times.values()].sort((a, b) => a.time - b.time)]),
  );
}

const stepOf = (time: number, resolution: number | null, start: number): number =>
  resolution === null ? start : Math.floor(time / resolution) * resolution;

function aggregated(type: string, values: readonly PlainPoint['value'][]): unknown {
  if (type === 'COUNT') return values.length;
  if (type === 'FIRST') return values[0];
  if (type === 'LAST') return values.at(-1);
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  if (numbers.length < values.length) return undefined;
  const sum = numbers.reduce((total, number) => total + number, 0);
  const mean = sum / numbers.length;
  switch (type) {
    case 'MIN':
      return numbers[0];
    case 'MAX':
      return numbers.at(-1);
    case 'SUM':
      return sum;
    case 'MEAN':
      return mean;
    case 'MEDIAN':
      return (numbers[Math.floor((numbers.length - 1) / 2)]! + numbers[Math.floor(numbers.length / 2)]!) / 2;
    case 'STD_DEV':
      return Math.sqrt(numbers.reduce((total, number) => total + (number - mean) ** 2, 0) / numbers.length);
    default:
      throw new Error(`${type} is not an aggregation`);
  }
}

/** Returns how long an attribute had a value in each step in which it had any. */
function timesAt(points: readonly PlainPoint[], query: PlainQuery): Map<number, number> {
  const { start, end, resolution, value } = query;
  const times = new Map<number, number>();
  points.forEach((point, i) => {
    const until = Math.min(points[i + 1]?.time ?? end, end);
    let time = Math.max(point.time, start);
    while (time < until) {
      const step = stepOf(time, resolution, start);
      const next = resolution === null ? until : Math.min(step + resolution, until);
      times.set(step, (times.get(step) ?? 0) + (point.value === value ? next - time : 0));
      time = next;
    }
  });
  return times;
}
