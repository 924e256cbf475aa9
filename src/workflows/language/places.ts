/** Place on the earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Mean radius of the earth, in metres. */
const EARTH_RADIUS = 6_371_008.8;
/** Maximum length of a text that is read as a place. */
const MAX_LENGTH = 120;

/**
 * Reads a place: a text in decimal degrees (`39.1,-84.5`), in degrees, minutes and seconds (`39°6'0"N 84°30'0"W`), or an
 * NMEA sentence (GGA or GLL); a pair of numbers; or an object with `latitude` and `longitude`. Returns `undefined` for
 * anything else.
 */
export function placeOf(value: unknown): Place | undefined {
  const [latitude, longitude] = (typeof value === 'string' ? degreesOfText(value) : degreesOf(value)) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { latitude, longitude } : undefined;
}

type Degrees = readonly [latitude: number, longitude: number];

function degreesOf(value: unknown): Degrees | undefined {
  if (Array.isArray(value)) return value.length === 2 ? [numberOf(value[0]), numberOf(value[1])] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const member = (...names: readonly string[]): number => {
    const name = names.find((one) => Object.hasOwn(value, one));
    return name === undefined ? NaN : numberOf((value as Record<string, unknown>)[name]);
  };
  return [member('latitude', 'lat'), member('longitude', 'lng', 'lon')];
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}

function degreesOfText(text: string): Degrees | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (text.trim().startsWith('$')) return degreesOfSentence(text);
  if (/[NSEW]/i.test(text)) return degreesOfSides(text);
  const parts = text.split(',');
  return parts.length === 2 ? [numberOf(parts[0]), numberOf(parts[1])] : undefined;
}

const NUMBER = String.raw`\d{1,3}(?:\.\d+)?`;
const ANGLE = String.raw`(${NUMBER})(?:[°\s]+(${NUMBER}))?(?:['′\s]+(${NUMBER}))?[°'′"″\s]*`;
const SIDES = new RegExp(String.raw`^\s*${ANGLE}([NS])[,\s]*${ANGLE}([EW])\s*$`, 'i');

/** Reads degrees, minutes and seconds with the sides of the earth. */
function degreesOfSides(text: string): Degrees | undefined {
  const found = SIDES.exec(text);
  if (!found) return undefined;
  const [, ...parts] = found;
  return [angle(parts.slice(0, 4)), angle(parts.slice(4))];
}

function angle([degrees, minutes = '0', seconds = '0', side]: readonly (string | undefined)[]): number {
  const size = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return /[SW]/i.test(side!) ? -size : size;
}

/** First field of the place in the sentences that have one. */
const FIELDS: Readonly<Record<string, number>> = { GGA: 2, GLL: 1 };
const DEGREES_AND_MINUTES = /^(\d{1,3})(\d\d(?:\.\d+)?)$/;

/** Reads a sentence of a receiver, such as `$GPGLL,4916.45,N,12311.12,W,225444,A`. */
function degreesOfSentence(text: string): Degrees | undefined {
  const fields = text.trim().split(',');
  const first = FIELDS[fields[0]!.slice(-3)];
  if (first === undefined) return undefined;
  const [latitude, longitude] = [0, 2].map((at) => {
    const [, degrees, minutes] = DEGREES_AND_MINUTES.exec(fields[first + at] ?? '') ?? [];
    return degrees === undefined ? NaN : angle([degrees, minutes, '0', fields[first + at + 1] ?? '']);
  });
  return [latitude!, longitude!];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the length of the great circle between two places, in metres. */
export function distanceBetween(from: Place, to: Place): number {
  const [one, other] = [radians(from.latitude), radians(to.latitude)];
  const across = Math.sin((other - one) / 2) ** 2;
  const along = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  const share = across + Math.cos(one) * Math.cos(other) * along;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(share)));
}

/** Returns whether a place is inside of a polygon: a ray from it crosses an odd number of sides. */
export function isInside({ latitude, longitude }: Place, corners: readonly Place[]): boolean {
  let inside = false;
  let previous = corners.at(-1);
  for (const corner of corners) {
    const from = previous!;
    previous = corner;
    if (corner.latitude > latitude === from.latitude > latitude) continue;
    const share = (latitude - corner.latitude) / (from.latitude - corner.latitude);
    if (longitude < corner.longitude + share * (from.longitude - corner.longitude)) inside = !inside;
  }
  return inside;
}
