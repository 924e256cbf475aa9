/** Maximum length of a location; longer text is rejected. */
const MAX_LENGTH = 200;
/** About one centimeter, which exceeds the accuracy of positioning. */
const DECIMALS = 7;

const DECIMAL = /^([+-]?\d{1,3}(?:\.\d+)?)\s*[,\s]\s*([+-]?\d{1,3}(?:\.\d+)?)$/;
const SEXAGESIMAL = `(\\d{1,3})\\s*[°º]\\s*(?:(\\d{1,2}(?:\\.\\d+)?)\\s*['′’]\\s*)?(?:(\\d{1,2}(?:\\.\\d+)?)\\s*(?:["″”]|'')\\s*)?`;
const DEGREES_MINUTES_SECONDS = new RegExp(`^${SEXAGESIMAL}([NS])\\s*[,\\s]?\\s*${SEXAGESIMAL}([EW])$`, 'i');
const NMEA = /^\$([A-Z]{2}(GLL|GGA),[\x20-\x29\x2b-\x7e]*)(?:\*([\dA-F]{2}))?$/i;
const NMEA_LATITUDE = /^(\d{2})(\d{2}(?:\.\d+)?)$/;
const NMEA_LONGITUDE = /^(\d{3})(\d{2}(?:\.\d+)?)$/;

/**
 * Returns a location as it is stored, `latitude,longitude` in degrees. Accepts this format, degrees with minutes and
 * seconds, and GLL and GGA sentences of NMEA 0183. Returns `undefined` for any other text, coordinates out of range, a
 * wrong checksum, or a receiver without a fix.
 */
export function parseLocation(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim();
  const place = decimal(trimmed) ?? degreesMinutesSeconds(trimmed) ?? nmea(trimmed);
  if (!place) return undefined;
  const [latitude, longitude] = place;
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return undefined;
  return `${rounded(latitude)},${rounded(longitude)}`;
}

type Location = readonly [latitude: number, longitude: number];

function decimal(text: string): Location | undefined {
  const match = DECIMAL.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

function degreesMinutesSeconds(text: string): Location | undefined {
  const match = DEGREES_MINUTES_SECONDS.exec(text);
  if (!match) return undefined;
  return [angle(match.slice(1, 4), match[4]), angle(match.slice(5, 8), match[8])];
}

function nmea(text: string): Location | undefined {
  const match = NMEA.exec(text);
  if (!match) return undefined;
  const [, sentence, , checksum] = match as unknown as [string, string, string, string | undefined];
  if (checksum !== undefined && Number.parseInt(checksum, 16) !== checksumOf(sentence)) return undefined;
  const kind = match[2]!.toUpperCase();
  const fields = sentence.split(',').slice(1);
  if (kind === 'GGA' && fields[5] === '0') return undefined;
  if (kind === 'GLL' && fields[5] === 'V') return undefined;
  const [latitude, northOrSouth, longitude, eastOrWest] = kind === 'GGA' ? fields.slice(1) : fields;
  const north = NMEA_LATITUDE.exec(latitude ?? '');
  const east = NMEA_LONGITUDE.exec(longitude ?? '');
  // Published examples of GLL write S for a western longitude.
  const sides = kind === 'GLL' ? /^[EWS]$/i : /^[EW]$/i;
  if (!north || !east || !/^[NS]$/i.test(northOrSouth ?? '') || !sides.test(eastOrWest ?? ''))
    return undefined;
  return [angle(north.slice(1), northOrSouth), angle(east.slice(1), eastOrWest)];
}

/** Returns degrees, or `NaN` if minutes or seconds are not less than 60. */
function angle([degrees, minutes = 0, seconds = 0]: readonly (string | number)[], side?: string): number {
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return Number.NaN;
  const size = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return /[SW]/i.test(side ?? '') ? -size : size;
}

function checksumOf(sentence: string): number {
  let sum = 0;
  for (let i = 0; i < sentence.length; i++) sum ^= sentence.charCodeAt(i);
  return sum;
}

/** Formats degrees without an exponent, a trailing 0 or the sign of -0. */
const rounded = (degrees: number): string =>
  degrees
    .toFixed(DECIMALS)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');
