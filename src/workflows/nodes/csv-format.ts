import { invalidSetting } from '../engine/run-error.js';
import * as setting from './settings.js';

/** Maximum length of a CSV text: some 50 ms of work. */
export const MAX_CSV_LENGTH = 1024 * 1024;
const MAX_DELIMITER_LENGTH = 16;

/** Signs of a CSV text. */
export const csvFormat = setting.group({
  delimiterTemplate: setting.template,
  recordDelimiterTemplate: setting.template,
  quoteCharTemplate: setting.template,
  escapeCharTemplate: setting.template,
});

/** Options of the CSV library. */
export interface CsvSigns {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  /** `undefined` for line feeds, after carriage returns or alone. */
  readonly recordDelimiter: string | undefined;
}

/** Returns the signs for a payload. Throws a `RunFault`. */
export function signsOf(format: setting.Read<typeof csvFormat>, data: unknown): CsvSigns {
  const signs = {
    delimiter: format.delimiterTemplate(data) || ',',
    quote: format.quoteCharTemplate(data) || '"',
    escape: format.escapeCharTemplate(data) || '"',
    recordDelimiter: format.recordDelimiterTemplate(data) || undefined,
  };
  for (const name of ['quote', 'escape'] as const)
    if (signs[name].length !== 1) throw invalidSetting(`${name}CharTemplate`, 'must be one character');
  for (const name of ['delimiter', 'recordDelimiter'] as const)
    if ((signs[name]?.length ?? 0) > MAX_DELIMITER_LENGTH)
      throw invalidSetting(`${name}Template`, `must have at most ${MAX_DELIMITER_LENGTH} characters`);
  return signs;
}
