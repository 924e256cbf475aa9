import { parse } from 'csv-parse/sync';
import type { NodeRun } from '../../engine/node-run.js';
import { csvFormat, MAX_CSV_LENGTH, signsOf, type CsvSigns } from '../csv-format.js';
import * as setting from '../settings.js';

const settings = setting.all(
  setting.group({
    source: setting.required(setting.path),
    destination: setting.required(setting.target),
    stripBom: setting.flag(),
  }),
  csvFormat,
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => (path) => {
    const { payload } = path;
    const signs = signsOf(config, payload.data);
    config.destination(payload, decoded(config.source(payload.data), signs, config.stripBom));
    return undefined;
  },
};

/** Returns the rows as objects, or an error object. */
function decoded(text: unknown, { recordDelimiter, ...signs }: CsvSigns, stripBom: boolean): unknown {
  if (typeof text !== 'string') return { error: { message: 'source must be a text' } };
  if (text.length > MAX_CSV_LENGTH)
    return { error: { message: `source must have at most ${MAX_CSV_LENGTH} characters` } };
  try {
    const rows: string[][] = parse(text, {
      ...signs,
      ...(recordDelimiter !== undefined && { record_delimiter: recordDelimiter }),
      bom: stripBom,
      skip_empty_lines: true,
    });
    const [names = [], ...rest] = rows;
    return rest.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
  } catch (error) {
    return { error: { message: (error as Error).message } };
  }
}
