import { stringify } from 'csv-stringify/sync';

/** Text that the platform itself wrote: it is no formula, whatever it begins with. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** What a cell of a CSV file holds; absent ones are empty. */
export type Cell = string | number | boolean | Date | Verbatim | null | undefined;

/**
 * Rows as lines of CSV (RFC 4180). Text that a spreadsheet would take for a formula gets a `'` before it; times are ISO 8601 in
 * UTC, quoted.
 */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    escape_formulas: true,
    record_delimiter: 'windows',
    // A line end of another kind would end the row for many readers.
    quoted_match: /[\r\n]/,
    cast: {
      boolean: String,
      number: String,
      object: ({ text }) => ({ value: String(text), escape_formulas: false }),
      date: (time) => ({ value: time.toISOString(), quoted: true }),
    },
  });
}

/**
 * Rows as lines of CSV for programs that read them back: every text is quoted and as it is, so that an empty one is another than
 * none.
 */
export const exactCsvLines = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  stringify(rows as Cell[][], { quoted_string: true, cast: { boolean: String, number: String } });
