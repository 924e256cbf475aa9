import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AliasField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { COLUMNS, type DataTableColumn } from './data-table.schemas.js';

const EXAMPLE = [
  { name: 'serial', dataType: 'string', constraint: 'required' },
  { name: 'stock', dataType: 'number', constraint: 'optional', defaultValue: 0 },
];

/**
 * A table that people make. Its rows stand in a table of PostgreSQL's own, which is named by the id and has columns named by
 * numbers: what callers call things is never part of a statement.
 */
@ApiSchema({ name: 'DataTable', description: 'A table with columns of your own, and rows.' })
@Entity('data_tables')
@Index('data_tables_by_application', ['applicationId', 'id'])
@Index('data_tables_by_name', ['applicationId', 'name', 'id'])
@Index('data_tables_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('data_tables_by_change', ['applicationId', 'lastUpdated', 'id'])
export class DataTable extends Resource {
  @AliasField('data table')
  dataTableId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({ required: true, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Parts' })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'Parts in stock' })
  description?: string;

  @JsonField(COLUMNS, {
    required: true,
    description: 'What its rows are made of, beside `id`, `createdAt` and `updatedAt`.',
    example: EXAMPLE,
  })
  columns: readonly DataTableColumn[];

  /** The number of each column, in the order of `columns`. None is given twice. */
  @Column({ type: 'integer', array: true })
  columnNumbers: readonly number[];

  /** One more with each change of the columns; a column that is added has it as its number. */
  @Column({ type: 'integer' })
  columnVersion: number;
}

export const DATA_TABLES = holding(DataTable, {
  table: 'data_tables',
  title: 'Data table',
  audited: 'DataTable',
  count: 'dataTableCount',
  limit: 'datatable',
  // Each is a table of PostgreSQL's that goes with its row, and every one of those takes locks until all are gone.
  removedAtOnce: 20,
});

@ApiSchema({ name: 'DataTablePost', description: 'A new data table.' })
export class DataTablePost extends PickType(DataTable, ['name', 'description']) {
  @JsonField(COLUMNS, {
    column: false,
    description: 'What its rows are made of, beside `id`, `createdAt` and `updatedAt`; absent, nothing else.',
    example: EXAMPLE,
  })
  columns?: readonly DataTableColumn[];
}

@ApiSchema({
  name: 'DataTablePatch',
  description: 'Changes to a data table; what is absent stays as it is.',
})
export class DataTablePatch extends PartialType(PickType(DataTable, ['name', 'description'])) {}

export const DataTables = pageOf(DataTable, 'DataTables', ['applicationId']);
