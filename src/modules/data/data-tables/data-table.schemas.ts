import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';

export const COLUMN_TYPES = ['string', 'number', 'boolean'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export const CONSTRAINTS = ['unique', 'required', 'optional'] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

/** Value of a column in a row; `null` for no value. */
export type CellValue = string | number | boolean | null;

/** A column as callers see it. */
export interface DataTableColumn {
  name: string;
  dataType: ColumnType;
  constraint: Constraint;
  defaultValue?: string | number | boolean;
}

/** Maximum number of columns per table, which also bounds the size of a row. */
export const MAX_COLUMNS = 50;

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
      description:
        'Name of the column, unique within the table. `id`, `createdAt` and `updatedAt` are reserved.',
      example: 'serial',
    },
    dataType: {
      title: 'DataTableColumnType',
      type: 'string',
      enum: COLUMN_TYPES,
      description: 'Type of the values in the column.',
    },
    constraint: {
      type: 'string',
      enum: CONSTRAINTS,
      description:
        'Constraint on the values. `required`: every row has a value. `unique`: no two rows have the same value; several rows may have no value. `optional`: no constraint.',
      example: 'required',
    },
    defaultValue: {
      oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
      description: 'Value for new rows that omit the column. Must have the type of the column.',
      example: 'unknown',
    },
  },
};

export const COLUMNS: JsonSchema = { type: 'array', maxItems: MAX_COLUMNS, items: DATA_TABLE_COLUMN };
