import type { Family } from '../../../platform/families.js';
import { BUNDLED_DATA_TABLES } from './data-table.bundle.js';
import { DATA_TABLES, DataTable } from './data-table.resource.js';
import { DataTablesModule } from './data-tables.module.js';

/** Data tables and their columns. */
export const DATA_TABLES_FAMILY: Family = {
  modules: [DataTablesModule],
  entities: [DataTable],
  holdings: [DATA_TABLES],
  bundles: [BUNDLED_DATA_TABLES],
  countedRows: [
    {
      table: 'data_tables',
      name: 'data_table_rows',
      holder: 'id',
      amounts: [{ kind: `'rowCount'`, amount: 'count_data_table_rows(r.id)' }],
      isMaintainedElsewhere: true,
    },
  ],
  tag: {
    name: 'dataTables',
    title: 'Data tables',
    group: 'Data',
    resources: ['dataTables', 'dataTable'],
    description: 'Data tables with custom columns.',
  },
};
