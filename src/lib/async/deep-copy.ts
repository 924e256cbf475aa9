/**
 * Returns a copy of a JSON value with its own memory, for values that are kept for long. V8 substrings otherwise keep
 * the whole original text in memory.
 */
export const deepCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
