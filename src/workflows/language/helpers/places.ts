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
  formatGps: ([value, form, ...rest], { hash }) => {
    const digits = rest[0] ?? hash.get('digits');
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

/** Decimal places of degrees without a given number. */
const DEGREE_DIGITS = 6;

/**
 * Formats a place as `decimal` degrees, as `degrees` with the sides of the earth, as degrees and minutes (`dm`), as the
 * NMEA sentence `gga`, or as degrees, minutes and seconds (`dms`, `sexagesimal`).
 */
function formatted({ latitude, longitude }: Place, form: string, digits?: number): string {
  const places = digits !== undefined && digits >= 0 && digits <= MAX_DIGITS ? Math.trunc(digits) : undefined;
  const inDecimals = (angle: number): string =>
    places === undefined ? String(Number(angle.toFixed(DEGREE_DIGITS))) : angle.toFixed(places);
  const sides = [latitude < 0 ? 'S' : 'N', longitude < 0 ? 'W' : 'E'] as const;
  if (form === '' || form === 'decimal') return `${inDecimals(latitude)},${inDecimals(longitude)}`;
  if (form === 'degrees')
    return `${inDecimals(Math.abs(latitude))}°${sides[0]} ${inDecimals(Math.abs(longitude))}°${sides[1]}`;
  if (form === 'gga')
    return sentence(
      `GPGGA,,${inMinutes(latitude, 2)},${sides[0]},${inMinutes(longitude, 3)},${sides[1]},,,,,,,,,`,
    );
  const hasSeconds = form !== 'dm' && form !== 'degrees minutes';
  return [
    inDegrees(latitude, sides[0], hasSeconds, places),
    inDegrees(longitude, sides[1], hasSeconds, places),
  ].join(' ');
}

/** Returns an angle as NMEA writes it: degrees with leading zeros, and minutes with two digits before the point. */
function inMinutes(angle: number, digits: number): string {
  const total = Number((Math.abs(angle) * 60).toFixed(4));
  const degrees = Math.floor(total / 60);
  return `${String(degrees).padStart(digits, '0')}${(total - degrees * 60).toFixed(4).padStart(7, '0')}`;
}

/** Returns a sentence of NMEA with its check sum. */
function sentence(text: string): string {
  const sum = [...text].reduce((all, character) => all ^ character.charCodeAt(0), 0);
  return `$${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
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
