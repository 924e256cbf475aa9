import { isObject } from '../../lib/json/json.js';

/** Converts a map by name to a list of items with names. Returns any other value unchanged. */
export const namedItems =
  (name: string) =>
  (value: unknown): unknown =>
    isObject(value)
      ? Object.entries(value).map(([key, item]) => ({ [name]: key, ...(isObject(item) ? item : {}) }))
      : value;

/**
 * Converts a map of values, or of lists of values, to pairs of `key` and `value`. Returns any other value unchanged.
 */
export const pairs = (value: unknown): unknown =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, values]) =>
        (Array.isArray(values) ? values : [values]).map((each: unknown) => ({ key, value: each })),
      )
    : value;
