import type { Family } from '../../../platform/families.js';
import { DataTableRowsModule } from './data-table-rows.module.js';
import { ROW_EXPORT } from './row-export.job.js';

/** Rows of data tables. */
export const DATA_TABLE_ROWS_FAMILY: Family = {
  modules: [DataTableRowsModule],
  jobs: [ROW_EXPORT],
  tags: [
    { name: 'dataTableRows', description: 'Insert, list, query, delete and export rows of a data table.' },
    { name: 'dataTableRow', description: 'Read, update and delete a row of a data table.' },
  ],
};
