import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import { aggregated, later, type Point } from '../series/aggregations.js';
import { pointsByDevice, pointsOfAll } from '../series/query.js';
import { seriesSettings, writeSeries, type Asked, type SeriesSettings } from '../series/settings.js';

export const run: NodeRun<SeriesSettings> = {
  settings: seriesSettings,
  prepare: (config) => (path) =>
    writeSeries(config, path, async (asked) => {
      const { names, duration, type = 'MEAN' } = asked;
      if (names.length === 0) throw invalidSetting('attribute', 'is required');
      const shown = (points: readonly (Point | undefined)[]) => shownPoints(names, points);
      if (duration === 0) {
        const last = await Promise.all(names.map((name) => lastPoints(path, asked, name)));
        return config.perDeviceResults ? byDevice(last, shown) : shown(last.map((of) => overall(asked, of)));
      }
      if (type === 'NONE') throw invalidSetting('aggregation', 'must not be NONE for a duration');
      if (!config.perDeviceResults)
        return shown((await pointsOfAll(path, { ...asked, type })).map(([point]) => point));
      const devices = [...(await pointsByDevice(path, { ...asked, type }))];
      return Object.fromEntries(devices.map(([id, points]) => [id, shown(points.map(([point]) => point))]));
    }),
};

/** Returns a point, or points by attribute if there are several; an empty object without any. */
function shownPoints(names: readonly string[], points: readonly (Point | undefined)[]): object {
  if (names.length === 1) return points[0] ?? {};
  return Object.fromEntries(names.flatMap((name, i) => (points[i] ? [[name, points[i]] as const] : [])));
}

type Points = ReadonlyMap<string, Point>;

/** Returns the last value of an attribute by ID of the device. */
async function lastPoints(path: RunPath, { devices, end }: Asked, attribute: string): Promise<Points> {
  const answer = await callApi(path, 'data.lastValueQuery', {}, { ...devices, attribute, end });
  const found = resultOrFault(answer) as Record<string, { time: string; data: Record<string, unknown> }>;
  return new Map(
    Object.entries(found).map(([id, { time, data }]) => [
      id,
      { time: new Date(time), value: data[attribute] },
    ]),
  );
}

/** Returns the value over all devices, at the time of the newest. */
function overall({ type = 'LAST' }: Asked, found: Points): Point | undefined {
  if (type === 'TIMEATVALUE')
    throw invalidSetting('aggregation', 'must not be TIMEATVALUE without a duration');
  const points = [...found.values()];
  return points.length > 0 ? { time: points.reduce(later).time, value: aggregated(type, points) } : undefined;
}

function byDevice(
  found: readonly Points[],
  shown: (points: readonly (Point | undefined)[]) => object,
): object {
  const ids = new Set(found.flatMap((points) => [...points.keys()]));
  return Object.fromEntries([...ids].map((id) => [id, shown(found.map((points) => points.get(id)))]));
}
