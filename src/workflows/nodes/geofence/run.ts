import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { distanceBetween, isInside, placeOf, type Place } from '../../language/places.js';
import * as setting from '../settings.js';

const MAX_CORNERS = 10_000;
/** Corners that a polygon needs to have an inside. */
const MIN_CORNERS = 3;

const settings = setting.all(
  setting.group({ gpsCheck: setting.value, resultPath: setting.target, branchPath: setting.target }),
  setting.variant(
    'checkType',
    {
      radius: setting.group({ gpsCenter: setting.value, radius: setting.number() }),
      polygonCoords: setting.group({ polygonCoords: setting.template }),
      polygon: setting.group({ polygonPath: setting.path }),
    },
    'radius',
  ),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    (config) =>
    ({ payload }) => {
      const { result, isIn } = check(config, payload.data);
      config.resultPath(payload, result);
      config.branchPath(payload, isIn);
      return isIn ? 1 : 0;
    },
};

/** Returns the distance from the centre in metres, or whether the place is inside of the polygon. */
function check(config: Settings, payload: unknown): { result: unknown; isIn: boolean } {
  const place = placeOf(config.gpsCheck(payload));
  if (config.checkType === 'radius') {
    const center = placeOf(config.gpsCenter(payload));
    const result = place && center && distanceBetween(place, center);
    return { result, isIn: result !== undefined && result <= config.radius(payload) };
  }
  const corners =
    config.checkType === 'polygon'
      ? cornersOf(config.polygonPath(payload), 'polygonPath')
      : cornersOf(config.polygonCoords(payload), 'polygonCoords');
  const isIn = place !== undefined && corners.length >= MIN_CORNERS && isInside(place, corners);
  return { result: isIn, isIn };
}

/** Reads the corners of a polygon: a list of places, or lines of them. None if one of them is no place. */
function cornersOf(value: unknown, at: string): readonly Place[] {
  const given: unknown = typeof value === 'string' ? value.trim().split(/\n/, MAX_CORNERS + 1) : value;
  if (!Array.isArray(given)) return [];
  if (given.length > MAX_CORNERS) throw invalidSetting(at, `must have at most ${MAX_CORNERS} places`);
  const corners = given.map(placeOf);
  return corners.every((corner) => corner !== undefined) ? corners : [];
}
