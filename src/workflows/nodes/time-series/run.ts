import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { integerWithin } from '../run-values.js';
import * as setting from '../settings.js';
import type { Point } from '../series/aggregations.js';
import { pointsByDevice, pointsOfAll, readSeries } from '../series/query.js';
import { seriesSettings, writeSeries, type Asked } from '../series/settings.js';

/** Points of a device that are read without aggregation. */
const MAX_POINTS = 25_000;

const settings = setting.all(
  seriesSettings,
  setting.group({
    resolution: setting.number(0),
    orderTemplate: setting.template,
    limitTemplate: setting.number(MAX_POINTS),
  }),
);
type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => (path) =>
    writeSeries(config, path, async (asked) => {
      const { data } = path.payload;
      const { names } = asked;
      const order = config.orderTemplate(data).trim().toLowerCase() || 'asc';
      if (asked.type === 'NONE') return pointsWithoutAggregation(config, path, asked, order);
      if (names.length === 0) throw invalidSetting('attribute', 'is required');
      const resolution = config.resolution(data) || undefined;
      const whole = { ...asked, type: asked.type ?? 'MEAN', resolution } as const;
      const shown = (series: readonly Point[][]): unknown => {
        const ordered = order === 'desc' ? series.map((points) => [...points].reverse()) : series;
        return names.length === 1
          ? ordered[0]
          : Object.fromEntries(names.map((name, i) => [name, ordered[i]]));
      };
      if (!config.perDeviceResults) return shown(await pointsOfAll(path, whole));
      const devices = [...(await pointsByDevice(path, whole))];
      return Object.fromEntries(devices.map(([id, series]) => [id, shown(series)]));
    }),
};

/** Returns the reported points of each device, and whether it has more than the limit. */
async function pointsWithoutAggregation(
  config: Settings,
  path: RunPath,
  asked: Asked,
  order: string,
): Promise<object> {
  const limit = integerWithin(config.limitTemplate(path.payload.data), 'limitTemplate', 1, MAX_POINTS);
  const found = await readSeries(path, { ...asked, type: 'NONE' }, { order, limit: limit + 1 });
  const devices = Object.entries(found.devices).map(([id, { name, tags, points }]) => {
    const dated = points.slice(0, limit).map(({ time, data }) => ({ time: new Date(time), data }));
    return [
      id,
      { name, tags, points: dated, ...(points.length > limit && { limitExceeded: true }) },
    ] as const;
  });
  return {
    start: new Date(found.start),
    end: new Date(found.end),
    aggregation: 'NONE',
    limit,
    devices: Object.fromEntries(devices),
  };
}
