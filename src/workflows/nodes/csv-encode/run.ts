import { stringify } from 'csv-stringify/sync';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { printed } from '../../language/evaluate.js';
import { csvFormat, signsOf } from '../csv-format.js';
import * as setting from '../settings.js';

const MAX_COLUMNS = 1000;
const MAX_CELLS = 100_000;

const settings = setting.all(
  setting.group({ source: setting.required(setting.path), destination: setting.required(setting.target) }),
  setting.variant(
    'headerTemplateType',
    {
      objectKeys: setting.group({}),
      stringTemplates: setting.group({ headerTemplate: setting.list(setting.template, MAX_COLUMNS) }),
      payloadPath: setting.group({ headerTemplate: setting.path }),
    },
    'objectKeys',
  ),
  csvFormat,
);

type Config = setting.Read<typeof settings>;
type Row = Readonly<Record<string, unknown>>;

export const run: NodeRun<Config> = {
  settings,
  prepare:
    (config) =>
    ({ payload }) => {
      const { recordDelimiter = '\n', ...signs } = signsOf(config, payload.data);
      const rows = rowsOf(config.source(payload.data));
      const columns = columnsOf(config, rows, payload.data);
      if ((rows.length + 1) * columns.length > MAX_CELLS)
        throw invalidSetting('source', `must have at most ${MAX_CELLS} cells`);
      const cells = rows.map((row) => columns.map((name) => cellOf(row, name)));
      const text = stringify([columns, ...cells], { ...signs, record_delimiter: recordDelimiter });
      config.destination(payload, text);
      return undefined;
    },
};

function rowsOf(source: unknown): readonly Row[] {
  const rows = Array.isArray(source) ? (source as unknown[]) : [source];
  if (!rows.every((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw invalidSetting('source', 'must be a list of objects');
  return rows;
}

function columnsOf(config: Config, rows: readonly Row[], data: unknown): string[] {
  if (config.headerTemplateType === 'objectKeys') return Object.keys(rows[0] ?? {}).slice(0, MAX_COLUMNS);
  if (config.headerTemplateType === 'stringTemplates') return config.headerTemplate.map((name) => name(data));
  const names = config.headerTemplate(data);
  if (!Array.isArray(names) || names.length > MAX_COLUMNS)
    throw invalidSetting('headerTemplate', `must be a list of at most ${MAX_COLUMNS} names`);
  return names.map(printed);
}

function cellOf(row: Row, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : printed(value);
}
