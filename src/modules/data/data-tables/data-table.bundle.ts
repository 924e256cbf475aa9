import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled } from '../../../platform/bundles/bundled.js';
import { DATA_TABLES, DataTablePost, type DataTable } from './data-table.resource.js';
import { newTable } from './data-table.rules.js';

const pathOf = ({ name }: DataTable): string => `dataTables/${pathPart(name)}`;

/** Data tables in bundles, with rows. Rows keep their IDs, which are unique only within a table. */
export const BUNDLED_DATA_TABLES = bundled({
  holding: DATA_TABLES,
  resourceType: 'DataTable',
  placeholderWord: 'dataTable',
  place: { each: pathOf },
  post: DataTablePost,
  // Replacing a table would invalidate its rows, whose structure depends on its columns.
  neverReplaced: true,
  content: { kind: 'rows', path: pathOf, ending: '.csv', option: 'includeDataTableRows' },
  row: newTable,
});
