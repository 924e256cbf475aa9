import { MAX_PAYLOAD_BYTES } from '../../engine/limits.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';

/** Arguments of a method, rendered. An argument that the node does not have is `undefined`. */
export type Arguments = readonly (string | undefined)[];

type Method = (text: string, args: Arguments) => unknown;

/** Maximum length to which texts are padded. */
const MAX_PADDED = 1_000;
const TRUNCATED = 30;

export const METHODS = {
  concat: (text, args) => bounded(text.length + total(args), () => text + args.join('')),
  indexOf: (text, [search = '', from]) => text.indexOf(search, integer(from, 1, 0)),
  pad: (text, [length, fill]) => {
    const missing = Math.max(0, padding(length) - text.length);
    return text
      .padStart(text.length + Math.floor(missing / 2), fill || ' ')
      .padEnd(padding(length), fill || ' ');
  },
  padEnd: (text, [length, fill]) => text.padEnd(padding(length), fill || ' '),
  padStart: (text, [length, fill]) => text.padStart(padding(length), fill || ' '),
  replaceAll: (text, [search = '', replacement = '']) => {
    if (search === '') return text;
    const parts = text.split(search);
    const length = text.length + (parts.length - 1) * (replacement.length - search.length);
    return bounded(length, () => parts.join(replacement));
  },
  replaceFirst: (text, [search = '', replacement = '']) => {
    const at = search === '' ? -1 : text.indexOf(search);
    if (at < 0) return text;
    return bounded(
      text.length + replacement.length,
      () => text.slice(0, at) + replacement + text.slice(at + search.length),
    );
  },
  split: (text, [separator]) => (separator === '' ? [...text] : text.split(separator!)),
  toLower: (text) => text.toLowerCase(),
  toNumber: (text) => {
    const number = text.trim() === '' ? NaN : Number(text);
    return Number.isFinite(number) ? number : null;
  },
  toUpper: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
  trimEnd: (text) => text.trimEnd(),
  trimStart: (text) => text.trimStart(),
  truncate: (text, [given, omission = '...']) => {
    const whole = integer(given, 0, TRUNCATED);
    const length = whole > 0 ? whole : TRUNCATED;
    return text.length <= length ? text : text.slice(0, Math.max(0, length - omission.length)) + omission;
  },
} as const satisfies Readonly<Record<string, Method>>;

const total = (args: Arguments): number => args.reduce((sum, arg) => sum + (arg?.length ?? 0), 0);

/** Returns a result unless it would be too long. */
function bounded(length: number, make: () => string): string {
  if (length <= MAX_PAYLOAD_BYTES) return make();
  throw new RunFault('PayloadTooLarge', `The result must have at most ${MAX_PAYLOAD_BYTES} characters`);
}

/** Returns the integer of the argument at `index`; `otherwise` if it is blank. */
function integer(given: string | undefined, index: number, otherwise: number): number {
  if (given === undefined || given.trim() === '') return otherwise;
  const number = Number(given);
  if (Number.isSafeInteger(number)) return number;
  throw invalidSetting(`methodArgs.${index}`, 'must be an integer');
}

function padding(given: string | undefined): number {
  const length = integer(given, 0, 0);
  if (length >= 0 && length <= MAX_PADDED) return length;
  throw invalidSetting('methodArgs.0', `must be an integer from 0 to ${MAX_PADDED}`);
}
