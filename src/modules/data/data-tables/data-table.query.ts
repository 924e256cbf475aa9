import { QueryText } from '../../../platform/lists/query-fields.js';

export class ColumnQuery {
  @QueryText({
    description: 'Name of the column to remove.',
    example: 'stock',
    maxLength: 255,
    required: true,
  })
  columnName: string;
}
