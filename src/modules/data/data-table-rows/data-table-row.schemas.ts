import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

/** What a request inserts at most. */
export const MOST_INSERTED = 1_000;

const CELL: JsonSchema = {
  oneOf: [{ type: 'string', nullable: true }, { type: 'number' }, { type: 'boolean' }],
};
const TIME = '2026-06-13T04:00:00.000Z';
const ID: JsonSchema = { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE };

/** A row as bodies have it; which names it may have is for the columns of the table to say. */
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
  description: 'A row: a value for each column of its table, `null` where it has none.',
  properties: {
    id: { ...ID, description: 'Its id.' },
    createdAt: { type: 'string', format: 'date-time', description: 'When it was inserted.', example: TIME },
    updatedAt: {
      type: 'string',
      format: 'date-time',
      description: 'When it was last changed.',
      example: TIME,
    },
  },
  example: { id: ID_EXAMPLE, createdAt: TIME, updatedAt: TIME, serial: 'A-17', stock: 3 },
};

export const DATA_TABLE_ROW_INSERT_UPDATE: JsonSchema = {
  ...VALUES,
  title: 'DataTableRowInsertUpdate',
  description: 'Values by the names of their columns; `null` for none.',
};

export const DATA_TABLE_ROW_INSERT: JsonSchema = {
  title: 'DataTableRowInsert',
  oneOf: [VALUES, { type: 'array', items: VALUES, minItems: 1, maxItems: MOST_INSERTED }],
  description: 'A row, or several: values by the names of their columns.',
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
      description: 'What was inserted of several rows.',
      properties: {
        count: { type: 'integer', minimum: 0, description: 'How many.', example: 2 },
        createdAt: { type: 'string', format: 'date-time', description: 'When.', example: TIME },
        rowIds: {
          type: 'array',
          maxItems: MOST_INSERTED,
          items: ID,
          description: 'Their ids, in the order of the rows.',
        },
      },
    },
  ],
  description: 'The row that was inserted, or of several how many and which.',
};
