import { QueryText } from '../../../platform/lists/query-fields.js';

export class ColumnQuery {
  @QueryText({ description: 'The column, by its name.', example: 'stock', maxLength: 255, required: true })
  columnName: string;
}
