/** Value of an attribute, which is identified by its number. */
export interface ExportedPoint {
  attribute: number;
  /** Time of the point, in milliseconds since 1970. */
  time: number;
  value: number | boolean | string;
}

/** Next points of an attribute to read: the first `limit` points later than `after`. */
export interface PointsRequest {
  attribute: number;
  after: number;
  limit: number;
}

/** Finds the next points of attributes, sorted by time within each attribute. */
export type FindPoints = (wanted: readonly PointsRequest[]) => Promise<ExportedPoint[]>;

/** All values stored for one time, by attribute number. */
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
const MAX_POINTS = 10_000;
const HEAVY_POINT_COST = 50;

/** Points of an attribute that have been read but are not part of a row yet. */
class PointBuffer {
  private points: ExportedPoint[] = [];
  private position = 0;
  private complete = false;

  constructor(
    readonly number: number,
    readonly weight: number,
    private after: number,
  ) {}

  get head(): ExportedPoint | undefined {
    return this.points[this.position];
  }

  get isEmpty(): boolean {
    return !this.complete && this.head === undefined;
  }

  get load(): number {
    return (this.points.length - this.position) * this.weight;
  }

  nextRequest(max: number): PointsRequest {
    return { attribute: this.number, after: this.after, limit: max };
  }

  fill(points: ExportedPoint[], max: number): void {
    this.points = points;
    this.position = 0;
    this.after = points.at(-1)?.time ?? this.after;
    this.complete = points.length < max;
  }

  shift(): ExportedPoint {
    return this.points[this.position++]!;
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
  const all = attributes.map(
    ({ number, heavy }) => new PointBuffer(number, heavy ? HEAVY_POINT_COST : 1, start - 1),
  );
  for (;;) {
    const dry = all.filter(({ isEmpty }) => isEmpty);
    if (dry.length > 0) await fill(dry, all, find);
    const heads = all.flatMap(({ head }) => (head ? [head.time] : []));
    if (heads.length === 0) return;
    const time = heads.reduce((min, head) => Math.min(min, head));
    const values = all.flatMap((ahead): [number, ExportedPoint['value']][] =>
      ahead.head?.time === time ? [[ahead.number, ahead.shift().value]] : [],
    );
    yield { time, values: new Map(values) };
  }
}

async function fill(
  dry: readonly PointBuffer[],
  all: readonly PointBuffer[],
  find: FindPoints,
): Promise<void> {
  const left = all.reduce((rest, { load }) => rest - load, MAX_POINTS);
  const each = left / dry.length;
  const wanted = dry.map((ahead) => ahead.nextRequest(Math.max(1, Math.floor(each / ahead.weight))));
  const found = new Map<number, ExportedPoint[]>();
  for (const point of await find(wanted)) {
    const points = found.get(point.attribute);
    if (points) points.push(point);
    else found.set(point.attribute, [point]);
  }
  dry.forEach((ahead, i) => ahead.fill(found.get(ahead.number) ?? [], wanted[i]!.limit));
}
