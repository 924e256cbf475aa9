import type { Family } from '../../../platform/families.js';
import { DataTableRowsModule } from './data-table-rows.module.js';
import { ROW_EXPORT } from './row-export.job.js';

/** Rows of data tables. */
export const DATA_TABLE_ROWS_FAMILY: Family = {
  modules: [DataTableRowsModule],
  jobs: [ROW_EXPORT],
  tag: {
    name: 'dataTableRows',
    title: 'Data table rows',
    group: 'Data',
    resources: ['dataTableRows', 'dataTableRow'],
    description: 'The rows of a data table: insert, query, change, delete and export them.',
  },
};
