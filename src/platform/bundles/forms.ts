/** Items with their names, of a map by name; of all else what it is. */
export const namedItems =
  (name: string) =>
  (value: unknown): unknown =>
    isMap(value)
      ? Object.entries(value).map(([key, item]) => ({ [name]: key, ...(isMap(item) ? item : {}) }))
      : value;

/** Pairs of `key` and `value`, of a map of values, or lists of them, by key; of all else what it is. */
export const pairs = (value: unknown): unknown =>
  isMap(value)
    ? Object.entries(value).flatMap(([key, values]) =>
        (Array.isArray(values) ? values : [values]).map((each: unknown) => ({ key, value: each })),
      )
    : value;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
