import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';

export const COLUMN_TYPES = ['string', 'number', 'boolean'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export const CONSTRAINTS = ['unique', 'required', 'optional'] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

/** What stands in a row under the name of a column; `null` where nothing does. */
export type CellValue = string | number | boolean | null;

/** A column as callers see it. */
export interface DataTableColumn {
  name: string;
  dataType: ColumnType;
  constraint: Constraint;
  defaultValue?: string | number | boolean;
}

/** More than anybody looks at, and a row is no larger than so many values. */
export const MOST_COLUMNS = 50;

export const DATA_TABLE_COLUMN: JsonSchema = {
  title: 'DataTableColumn',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'dataType', 'constraint'],
  description: 'A column of a data table.',
  properties: {
    name: {
      type: 'string',
      pattern: NAME_PATTERN,
      description: 'Its name, unique within the table; `id`, `createdAt` and `updatedAt` are there already.',
      example: 'serial',
    },
    dataType: { type: 'string', enum: COLUMN_TYPES, description: 'What its values are.' },
    constraint: {
      type: 'string',
      enum: CONSTRAINTS,
      description:
        'Whether every row has a value (`required`), and whether no two rows have the same (`unique`; rows without a value may be several).',
      example: 'required',
    },
    defaultValue: {
      oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
      description: 'What a row has that is made without a value; of the type of the column.',
      example: 'unknown',
    },
  },
};

export const COLUMNS: JsonSchema = { type: 'array', maxItems: MOST_COLUMNS, items: DATA_TABLE_COLUMN };
