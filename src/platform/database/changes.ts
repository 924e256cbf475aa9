/**
 * What a statement writes of a row: some of its properties, each as its type says, JSON columns too, or `null` where
 * nothing is to stand. What is absent or `undefined` is left to the column's default, or as it is.
 */
export type Changes<T> = { [Property in keyof T]?: T[Property] | null };
