import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

/** Maximum number of rows per insert request. */
export const MAX_INSERTED = 1_000;

const CELL: JsonSchema = {
  oneOf: [{ type: 'string', nullable: true }, { type: 'number' }, { type: 'boolean' }],
};
const TIME = '2026-06-13T04:00:00.000Z';
const ID: JsonSchema = { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE };

/** A row in a request body. Property names are validated against the columns of the table. */
const VALUES: JsonSchema = {
  type: 'object',
  additionalProperties: CELL,
  example: { serial: 'A-17', stock: 3 },
};

export const DATA_TABLE_ROW: JsonSchema = {
  title: 'DataTableRow',
  type: 'object',
  required: ['id', 'createdAt', 'updatedAt'],
  additionalProperties: CELL,
  description: 'A row: a value for each column of its table, or `null`.',
  properties: {
    id: { ...ID, description: 'ID of the row, unique within its table.' },
    createdAt: {
      type: 'string',
      format: 'date-time',
      description: 'Time the row was inserted.',
      example: TIME,
    },
    updatedAt: {
      type: 'string',
      format: 'date-time',
      description: 'Time the row was last changed.',
      example: TIME,
    },
  },
  example: { id: ID_EXAMPLE, createdAt: TIME, updatedAt: TIME, serial: 'A-17', stock: 3 },
};

export const DATA_TABLE_ROW_INSERT_UPDATE: JsonSchema = {
  ...VALUES,
  title: 'DataTableRowInsertUpdate',
  description: 'Values by column name; `null` for no value.',
};

export const DATA_TABLE_ROW_INSERT: JsonSchema = {
  title: 'DataTableRowInsert',
  oneOf: [VALUES, { type: 'array', items: VALUES, minItems: 1, maxItems: MAX_INSERTED }],
  description: 'A row or an array of rows: values by column name.',
};

export const DATA_TABLE_ROW_INSERT_RESULT: JsonSchema = {
  title: 'DataTableRowInsertResult',
  oneOf: [
    DATA_TABLE_ROW,
    {
      title: 'DataTableRowsInserted',
      type: 'object',
      additionalProperties: false,
      required: ['count', 'createdAt', 'rowIds'],
      description: 'Summary of a batch insert.',
      properties: {
        count: { type: 'integer', minimum: 0, description: 'Number of inserted rows.', example: 2 },
        createdAt: {
          type: 'string',
          format: 'date-time',
          description: 'Time of the insert, the same for all rows.',
          example: TIME,
        },
        rowIds: {
          type: 'array',
          maxItems: MAX_INSERTED,
          items: ID,
          description: 'IDs of the inserted rows, in the order of the request.',
        },
      },
    },
  ],
  description: 'The inserted row, or for an array of rows their number and IDs.',
};
