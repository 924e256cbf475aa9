import type { RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import { aggregated, combinationOf, type Aggregation, type Part, type Point } from './aggregations.js';
import type { Asked } from './settings.js';

/** Points of several devices that are combined here. More would delay other runs. */
const MAX_COMBINED = 100_000;

/** Points of a device, as the API returns them. */
interface ApiDevice {
  readonly name: string;
  readonly tags: object;
  readonly points: readonly { readonly time: string; readonly data: Readonly<Record<string, unknown>> }[];
}

/** Response of the API. */
export interface ApiSeries {
  readonly start: string;
  readonly end: string;
  readonly devices: Readonly<Record<string, ApiDevice>>;
}

/** Time series that a node asks for. */
export interface SeriesAsked extends Asked {
  readonly type: Aggregation;
  /** Milliseconds; `undefined` for a single step. */
  readonly resolution?: number;
}

/** Limits of a query for points. */
interface Limits {
  readonly order?: string;
  readonly limit?: number;
}

/** Reads time series of devices. Throws a `RunFault` with the error of the API. */
export async function readSeries(path: RunPath, asked: SeriesAsked, limits: Limits = {}): Promise<ApiSeries> {
  const { devices, names, type, value, duration, end, resolution } = asked;
  const body = {
    ...devices,
    ...limits,
    ...(names.length > 0 && { attributes: names }),
    aggregation: type === 'TIMEATVALUE' ? { type, options: { value } } : type,
    ...(duration > 0 && { duration }),
    end,
    ...(resolution !== undefined && { resolution }),
  };
  return resultOrFault(await callApi(path, 'data.timeSeriesQuery', {}, body)) as ApiSeries;
}

/** Returns the points of each attribute, oldest first, by ID of the device. Devices without points are left out. */
export async function pointsByDevice(path: RunPath, asked: SeriesAsked): Promise<Map<string, Point[][]>> {
  const { devices } = await readSeries(path, asked);
  const reporting = Object.entries(devices).filter(([, { points }]) => points.length > 0);
  return new Map(reporting.map(([id, device]) => [id, asked.names.map((name) => pointsOf(device, name))]));
}

/** Returns the points of each attribute over all devices, oldest first. */
export async function pointsOfAll(path: RunPath, asked: SeriesAsked): Promise<Point[][]> {
  const found = await readSeries(path, asked);
  const devices = Object.values(found.devices).filter(({ points }) => points.length > 0);
  if (devices.length < 2)
    return asked.names.map((name) => devices.flatMap((device) => pointsOf(device, name)));
  const [start, end] = [Date.parse(found.start), Date.parse(found.end)];
  const again = { ...asked, end, duration: end - start };
  const combine = combinationOf(asked.type);
  if (!combine) return combinedPoints(await readSeries(path, { ...again, type: 'NONE' }), again, start);
  // A mean weighs as much as the number of its values.
  const counts = asked.type === 'MEAN' ? await readSeries(path, { ...again, type: 'COUNT' }) : undefined;
  return asked.names.map((name) => combinedParts(found, counts, name, combine));
}

/** Combines the values of devices in each step. */
function combinedParts(
  { devices }: ApiSeries,
  counts: ApiSeries | undefined,
  name: string,
  combine: (parts: readonly Part[]) => number,
): Point[] {
  const steps = new Steps<Part>();
  for (const [id, device] of Object.entries(devices)) {
    const counted = new Map(counts?.devices[id]?.points.map(({ time, data }) => [time, Number(data[name])]));
    for (const { time, data } of device.points)
      if (Object.hasOwn(data, name))
        steps.add(Date.parse(time), { value: data[name], count: counted.get(time) ?? 0 });
  }
  return steps.points(combine);
}

/** Aggregates all points of devices in each step. */
function combinedPoints(
  { devices }: ApiSeries,
  { type, names, resolution }: SeriesAsked,
  start: number,
): Point[][] {
  const all = Object.values(devices);
  if (all.reduce((size, { points }) => size + points.length, 0) > MAX_COMBINED)
    throw invalidSetting(
      'duration',
      `must have at most ${MAX_COMBINED} points of several devices with ${type}`,
    );
  return names.map((name) => {
    const steps = new Steps<Point>();
    for (const point of all.flatMap((device) => pointsOf(device, name))) {
      const time = point.time.getTime();
      steps.add(resolution === undefined ? start : Math.floor(time / resolution) * resolution, point);
    }
    return steps.points((points) => aggregated(type, points));
  });
}

/** Values by the time at which their step begins. */
class Steps<T> {
  private readonly steps = new Map<number, T[]>();

  add(time: number, value: T): void {
    const step = this.steps.get(time);
    if (step) step.push(value);
    else this.steps.set(time, [value]);
  }

  /** Returns a point for each step, oldest first. */
  points(combine: (values: readonly T[]) => unknown): Point[] {
    const sorted = [...this.steps].sort(([one], [other]) => one - other);
    return sorted.map(([time, values]) => ({ time: new Date(time), value: combine(values) }));
  }
}

const pointsOf = ({ points }: ApiDevice, name: string): Point[] =>
  points
    .filter(({ data }) => Object.hasOwn(data, name))
    .map(({ time, data }) => ({ time: new Date(time), value: data[name] }));
