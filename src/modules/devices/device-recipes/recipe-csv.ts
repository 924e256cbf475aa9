import { CsvError, parse } from 'csv-parse/sync';
import { ValidationError } from '../../../lib/errors/errors.js';

/** A table of text. */
export interface Csv {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

const BODY = 'deviceRecipeBulkCreate';
const MOST_COLUMNS = 104;
const LONGEST_ROW = 128 * 1024;

/**
 * The table that a text is, up to `most` rows and one more, which says that there are more: what a stranger sends is never
 * read further than is asked for. Throws 400 where it is no CSV, or where its first row cannot name columns. A row that has
 * another number of cells than that is for the caller to refuse.
 */
export function readCsv(text: string, most: number): Csv {
  const [header, ...rows] = parsed(text, most + 2);
  if (!header) throw new ValidationError(`${BODY}.csv has no rows`);
  if (header.length > MOST_COLUMNS)
    throw new ValidationError(`${BODY}.csv must have at most ${MOST_COLUMNS} columns`);
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new ValidationError(`${BODY}.csv has two columns "${shown(twice)}"`);
  return { header, rows };
}

function parsed(text: string, most: number): string[][] {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_ROW,
      to: most,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error.lines === 'number' ? ` at line ${error.lines}` : '';
    throw new ValidationError(`${BODY}.csv is not valid CSV${at}`);
  }
}

/** The name of a column as messages show it. */
export const shown = (name: string): string => name.slice(0, 50);
