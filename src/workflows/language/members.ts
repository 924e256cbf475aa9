import { isObject } from '../../lib/json/json.js';

/** Members of an object of a payload. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns whether a value of a payload is an object with members: no array and no date. */
export const hasMembers = (value: unknown): value is Members => isObject(value) && !(value instanceof Date);
