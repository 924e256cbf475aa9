/** Rows, documents or items of a result. */
export const MAX_ROWS = 10_000;
/** Size of a result, as JSON and as received. */
export const MAX_RESULT_BYTES = 5 * 1024 * 1024;
