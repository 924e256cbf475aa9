import { CsvError, parse } from 'csv-parse/sync';
import { ValidationError } from '../../../lib/errors/errors.js';

/** Parsed CSV table. */
export interface Csv {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

const BODY = 'deviceRecipeBulkCreate';
const MAX_COLUMNS = 104;
const MAX_ROW_LENGTH = 128 * 1024;

/**
 * Parses CSV up to `max` rows plus one, which indicates that there are more: untrusted input is read no further than
 * necessary. Throws a 400 error if the text is not valid CSV or its first row cannot name columns. Rows with a
 * different number of cells are left for the caller to reject.
 */
export function readCsv(text: string, max: number): Csv {
  const [header, ...rows] = parsed(text, max + 2);
  if (!header) throw new ValidationError(`${BODY}.csv has no rows`);
  if (header.length > MAX_COLUMNS)
    throw new ValidationError(`${BODY}.csv must have at most ${MAX_COLUMNS} columns`);
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new ValidationError(`${BODY}.csv has two columns "${shown(twice)}"`);
  return { header, rows };
}

function parsed(text: string, max: number): string[][] {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_LENGTH,
      to: max,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error.lines === 'number' ? ` at line ${error.lines}` : '';
    throw new ValidationError(`${BODY}.csv is not valid CSV${at}`);
  }
}

/** Truncates a column name for error messages. */
export const shown = (name: string): string => name.slice(0, 50);
