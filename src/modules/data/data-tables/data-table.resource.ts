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
 * A user-defined table. Its rows are stored in a separate PostgreSQL table named after the ID, with numbered columns,
 * so that names chosen by callers are never part of a statement.
 */
@ApiSchema({ name: 'DataTable', description: 'A table with custom columns, and rows.' })
@Entity('data_tables')
@Index('data_tables_by_application', ['applicationId', 'id'])
@Index('data_tables_by_name', ['applicationId', 'name', 'id'])
@Index('data_tables_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('data_tables_by_change', ['applicationId', 'lastUpdated', 'id'])
export class DataTable extends Resource {
  @AliasField('data table')
  dataTableId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the data table.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the data table.',
    example: 'Parts',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Free-text description of the data table.',
    example: 'Parts in stock',
  })
  description?: string;

  @JsonField(COLUMNS, {
    required: true,
    description: 'Custom columns, in addition to `id`, `createdAt` and `updatedAt`.',
    example: EXAMPLE,
  })
  columns: readonly DataTableColumn[];

  /** Number of each column, in the order of `columns`. Numbers are never reused. */
  @Column({ type: 'integer', array: true })
  columnNumbers: readonly number[];

  /** Incremented with each change of the columns. A new column uses the new version as its number. */
  @Column({ type: 'integer' })
  columnVersion: number;
}

export const DATA_TABLES = holding(DataTable, {
  table: 'data_tables',
  title: 'Data table',
  audited: 'DataTable',
  count: 'dataTableCount',
  limit: 'datatable',
  // Each data table has its own PostgreSQL table, and dropping one holds locks until the transaction ends.
  maxRemovalBatch: 20,
});

@ApiSchema({ name: 'DataTablePost', description: 'Properties of a new data table.' })
export class DataTablePost extends PickType(DataTable, ['name', 'description']) {
  @JsonField(COLUMNS, {
    column: false,
    description: 'Custom columns, in addition to `id`, `createdAt` and `updatedAt`; none by default.',
    example: EXAMPLE,
  })
  columns?: readonly DataTableColumn[];
}

@ApiSchema({
  name: 'DataTablePatch',
  description: 'Changes to a data table. Omitted properties keep their value.',
})
export class DataTablePatch extends PartialType(PickType(DataTable, ['name', 'description'])) {}

export const DataTables = pageOf(DataTable, 'DataTables', ['applicationId']);
