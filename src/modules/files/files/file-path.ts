import { MEDIA_TYPE } from '../../../lib/blobs/shown-content.js';
import { ValidationError } from '../../../lib/errors/errors.js';

/** Of a name, and of the path of a directory, in UTF-8: what an index takes, and what answers show. */
const MOST_BYTES = 1024;
/** How deep a tree is at most. */
export const MOST_LEVELS = 100;

/** What no name has: separators of either kind, control characters, and what turns the direction of text about. */
const FORBIDDEN = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A name as it is kept. Names are values of a column and parts of addresses, never of keys or of paths of a file system. Throws
 * 400 for one that somebody else could take for something else.
 */
export function nameOf(given: string, field: string): string {
  const name = given.normalize('NFC');
  if (name === '') throw new ValidationError(`${field} must not have an empty part`);
  if (name === '.' || name === '..') throw new ValidationError(`${field} must not have the part ${name}`);
  if (FORBIDDEN.test(name) || !name.isWellFormed())
    throw new ValidationError(`${field} must not contain slashes, backslashes or control characters`);
  if (Buffer.byteLength(name) > MOST_BYTES)
    throw new ValidationError(`${field} must have at most ${MOST_BYTES} bytes`);
  return name;
}

/** The names of which the path of a directory is made, from the root on; a slash at either end makes no difference. */
export function partsOf(path: string, field: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  if (inner === '') return [];
  if (inner.length > MOST_BYTES) throw new ValidationError(`${field} must have at most ${MOST_BYTES} bytes`);
  const parts = inner.split('/');
  const names = parts.map((part) => nameOf(part, field));
  demandPathFits(names.length, bytesOf(names), field);
  return names;
}

/** The path of the directory that these names lead to. */
export const pathOf = (names: readonly string[]): string => names.map((name) => `/${name}`).join('') + '/';

/** How many bytes that path has. */
export const bytesOf = (names: readonly string[]): number => Buffer.byteLength(pathOf(names));

/** 400 where a directory would stand so deep, or have a path of so many bytes. */
export function demandPathFits(levels: number, bytes: number, field: string): void {
  if (levels > MOST_LEVELS) throw new ValidationError(`${field} must have at most ${MOST_LEVELS} parts`);
  if (bytes > MOST_BYTES) throw new ValidationError(`${field} makes a path of more than ${MOST_BYTES} bytes`);
}

/** Whether a text can go out as the type of a content. */
export const isMediaType = (text: string): boolean => text.length <= MOST_BYTES && MEDIA_TYPE.test(text);

/** 400 for what is no media type. */
export function checkContentType(contentType: string | undefined, field: string): void {
  if (contentType !== undefined && !isMediaType(contentType))
    throw new ValidationError(`${field} must be a media type, such as image/png`);
}
