/**
 * A copy of a value of JSON in memory of its own, for what is kept long: of a text that was cut from another, the whole other one
 * stays in memory.
 */
export const detached = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
