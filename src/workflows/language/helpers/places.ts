import { printed } from '../evaluate.js';
import { spend } from '../handlebars/budget.js';
import type { Helper } from '../handlebars/dialect.js';
import { distanceBetween, isInside, placeOf, type Place } from '../places.js';

const MAX_DIGITS = 20;

/** Helpers of places, in all forms that `placeOf` reads. */
export const PLACE_HELPERS: Readonly<Record<string, Helper>> = {
  gpsDistance: ([one, other]) => {
    const [from, to] = [placeOf(one), placeOf(other)];
    return from && to ? distanceBetween(from, to) : undefined;
  },
  gpsIsPointInside: ([point, polygon]) => {
    const place = placeOf(point);
    return place !== undefined && isInside(place, cornersOf(polygon));
  },
  formatGps: ([value, form, digits]) => {
    const place = placeOf(value);
    if (!place) return '';
    return formatted(place, printed(form).toLowerCase(), digits === undefined ? undefined : Number(digits));
  },
};

/** Reads the corners of a polygon: a list of places, or the JSON of one. */
function cornersOf(value: unknown): readonly Place[] {
  const list = typeof value === 'string' ? jsonOf(value) : value;
  if (!Array.isArray(list)) return [];
  spend(list.length * 4);
  return list.flatMap((corner) => placeOf(corner) ?? []);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Formats a place as `decimal` degrees or as degrees, minutes and seconds (`dms`). */
function formatted({ latitude, longitude }: Place, form: string, digits?: number): string {
  const places = digits !== undefined && digits >= 0 && digits <= MAX_DIGITS ? Math.trunc(digits) : undefined;
  if (form === '' || form === 'decimal')
    return [latitude, longitude]
      .map((angle) => (places === undefined ? `${angle}` : angle.toFixed(places)))
      .join(',');
  const hasSeconds = form !== 'dm' && form !== 'degrees minutes';
  return [
    inDegrees(latitude, latitude < 0 ? 'S' : 'N', hasSeconds, places),
    inDegrees(longitude, longitude < 0 ? 'W' : 'E', hasSeconds, places),
  ].join(' ');
}

function inDegrees(angle: number, side: string, hasSeconds: boolean, places = hasSeconds ? 2 : 4): string {
  const unit = hasSeconds ? 3600 : 60;
  // Rounded as a whole first, so that no part becomes 60.
  const total = Number((Math.abs(angle) * unit).toFixed(places));
  const whole = Math.floor(total / unit);
  const rest = total - whole * unit;
  if (!hasSeconds) return `${whole}°${rest.toFixed(places)}'${side}`;
  const minutes = Math.floor(rest / 60);
  return `${whole}°${minutes}'${(rest - minutes * 60).toFixed(places)}"${side}`;
}
