import { MEDIA_TYPE } from '../../../lib/blobs/content-headers.js';
import { ValidationError } from '../../../lib/errors/errors.js';

/** Maximum bytes of UTF-8 in a name and in the path of a directory; bounded by indexes and responses. */
const MAX_BYTES = 1024;
/** Maximum depth of a tree. */
export const MAX_LEVELS = 100;

/** Characters that names must not contain: slashes, backslashes, control characters and bidirectional formatting. */
const FORBIDDEN = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * Normalizes a name for storage. Names are column values and parts of URLs, never of keys or file system paths. Throws
 * 400 for a name that could be mistaken for another one.
 */
export function parseName(given: string, field: string): string {
  const name = given.normalize('NFC');
  if (name === '') throw new ValidationError(`${field} must not contain empty parts`);
  if (name === '.' || name === '..') throw new ValidationError(`${field} must not contain the part ${name}`);
  if (FORBIDDEN.test(name) || !name.isWellFormed())
    throw new ValidationError(`${field} must not contain slashes, backslashes or control characters`);
  if (Buffer.byteLength(name) > MAX_BYTES)
    throw new ValidationError(`${field} must have at most ${MAX_BYTES} bytes`);
  return name;
}

/** Splits the path of a directory into names, starting at the root. Leading and trailing slashes are ignored. */
export function parsePath(path: string, field: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  if (inner === '') return [];
  if (inner.length > MAX_BYTES) throw new ValidationError(`${field} must have at most ${MAX_BYTES} bytes`);
  const parts = inner.split('/');
  const names = parts.map((part) => parseName(part, field));
  assertPathFits(names.length, bytesOf(names), field);
  return names;
}

/** Returns the path of a directory from its names. */
export const pathOf = (names: readonly string[]): string => names.map((name) => `/${name}`).join('') + '/';

/** Returns the size of that path in bytes. */
export const bytesOf = (names: readonly string[]): number => Buffer.byteLength(pathOf(names));

/** Throws 400 if a directory with this depth and path size is not allowed. */
export function assertPathFits(levels: number, bytes: number, field: string): void {
  if (levels > MAX_LEVELS) throw new ValidationError(`${field} must have at most ${MAX_LEVELS} parts`);
  if (bytes > MAX_BYTES)
    throw new ValidationError(`${field} results in a path of more than ${MAX_BYTES} bytes`);
}

/** Whether a text can be sent as a content type. */
export const isMediaType = (text: string): boolean => text.length <= MAX_BYTES && MEDIA_TYPE.test(text);

/** Throws 400 if the text is not a media type. */
export function checkContentType(contentType: string | undefined, field: string): void {
  if (contentType !== undefined && !isMediaType(contentType))
    throw new ValidationError(`${field} must be a media type such as image/png`);
}
