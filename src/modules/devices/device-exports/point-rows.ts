/** Value of an attribute, which is identified by its number. */
export interface ExportedPoint {
  attribute: number;
  /** Time of the point, in milliseconds since 1970. */
  time: number;
  value: number | boolean | string;
}

/** Next points of an attribute to read: the first `most` points later than `after`. */
export interface WantedPoints {
  attribute: number;
  after: number;
  most: number;
}

/** Finds the next points of attributes, sorted by time within each attribute. */
export type FindPoints = (wanted: readonly WantedPoints[]) => Promise<ExportedPoint[]>;

/** All values reported at one time, by attribute number. */
export interface PointRow {
  time: number;
  values: ReadonlyMap<number, ExportedPoint['value']>;
}

/** Attribute whose points are read; `heavy` if a value can be text of up to 64 KiB. */
export interface ReadAttribute {
  number: number;
  heavy: boolean;
}

/** Maximum number of points in memory; a heavy point counts as several. */
const BUDGET = 10_000;
const HEAVY = 50;

/** Points of an attribute that have been read but are not part of a row yet. */
class Ahead {
  private points: ExportedPoint[] = [];
  private at = 0;
  private complete = false;

  constructor(
    readonly number: number,
    readonly weight: number,
    private after: number,
  ) {}

  get head(): ExportedPoint | undefined {
    return this.points[this.at];
  }

  get isDry(): boolean {
    return !this.complete && this.head === undefined;
  }

  get load(): number {
    return (this.points.length - this.at) * this.weight;
  }

  wanted(most: number): WantedPoints {
    return { attribute: this.number, after: this.after, most };
  }

  fill(points: ExportedPoint[], most: number): void {
    this.points = points;
    this.at = 0;
    this.after = points.at(-1)?.time ?? this.after;
    this.complete = points.length < most;
  }

  take(): ExportedPoint {
    return this.points[this.at++]!;
  }
}

/**
 * Yields the points of a device from `start` as rows sorted by time. Each attribute is read in pages, whenever its
 * points run out. The number of points in memory is therefore bounded for any number and distribution of points, and no
 * point is read twice.
 */
export async function* pointRows(
  attributes: readonly ReadAttribute[],
  start: number,
  find: FindPoints,
): AsyncGenerator<PointRow> {
  const all = attributes.map(({ number, heavy }) => new Ahead(number, heavy ? HEAVY : 1, start - 1));
  for (;;) {
    const dry = all.filter(({ isDry }) => isDry);
    if (dry.length > 0) await fill(dry, all, find);
    const heads = all.flatMap(({ head }) => (head ? [head.time] : []));
    if (heads.length === 0) return;
    const time = heads.reduce((least, head) => Math.min(least, head));
    const values = all.flatMap((ahead): [number, ExportedPoint['value']][] =>
      ahead.head?.time === time ? [[ahead.number, ahead.take().value]] : [],
    );
    yield { time, values: new Map(values) };
  }
}

async function fill(dry: readonly Ahead[], all: readonly Ahead[], find: FindPoints): Promise<void> {
  const left = all.reduce((rest, { load }) => rest - load, BUDGET);
  const each = left / dry.length;
  const wanted = dry.map((ahead) => ahead.wanted(Math.max(1, Math.floor(each / ahead.weight))));
  const found = new Map<number, ExportedPoint[]>();
  for (const point of await find(wanted)) {
    const points = found.get(point.attribute);
    if (points) points.push(point);
    else found.set(point.attribute, [point]);
  }
  dry.forEach((ahead, i) => ahead.fill(found.get(ahead.number) ?? [], wanted[i]!.most));
}
