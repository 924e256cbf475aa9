import * as setting from '../settings.js';

const MAX_COLUMNS = 256;

/** Columns of a row with their values; `null` empties a column. */
export const rowFields = setting.list(
  setting.group({
    columnTemplate: setting.template,
    valueTemplate: (raw: unknown, at: string) => (raw === null ? () => null : setting.value(raw, at)),
  }),
  MAX_COLUMNS,
);

/** Returns the row of the columns that have a name and a value. */
export function rowOf(fields: setting.Read<typeof rowFields>, payload: unknown): Record<string, unknown> {
  const given = fields.map(({ columnTemplate, valueTemplate }) => [
    columnTemplate(payload),
    valueTemplate(payload),
  ]);
  return Object.fromEntries(
    given.filter(([name, value]) => name !== '' && value !== '' && value !== undefined),
  ) as Record<string, unknown>;
}
