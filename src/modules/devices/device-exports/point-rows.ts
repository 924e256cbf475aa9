/** A value of an attribute, known by its number. */
export interface ExportedPoint {
  attribute: number;
  /** Milliseconds since 1970. */
  time: number;
  value: number | boolean | string;
}

/** Which points of an attribute come next: the first `most` that are later than `after`. */
export interface WantedPoints {
  attribute: number;
  after: number;
  most: number;
}

/** Finds the next points of attributes, those of each in the order of time. */
export type FindPoints = (wanted: readonly WantedPoints[]) => Promise<ExportedPoint[]>;

/** All that was reported at a time, by the numbers of the attributes. */
export interface PointRow {
  time: number;
  values: ReadonlyMap<number, ExportedPoint['value']>;
}

/** An attribute whose points are read; `heavy` where a value may be 64 KiB of text. */
export interface ReadAttribute {
  number: number;
  heavy: boolean;
}

/** Points in memory at a time, heavy ones as so many. */
const BUDGET = 10_000;
const HEAVY = 50;

/** Points of an attribute that were read and are not in a row yet. */
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
 * The points of a device as rows in the order of time, from `start` on. Each attribute is read a page at a time, as it runs dry, so
 * that however many points there are, and however unevenly they come, a bounded number is in memory and none is read twice.
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
