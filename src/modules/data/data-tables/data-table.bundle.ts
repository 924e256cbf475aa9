import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled } from '../../../platform/bundles/bundled.js';
import { DATA_TABLES, DataTablePost, type DataTable } from './data-table.resource.js';
import { newTable } from './data-table.rules.js';

const pathOf = ({ name }: DataTable): string => `dataTables/${pathPart(name)}`;

/** With their rows, which keep their ids: these are unique in their table alone. */
export const BUNDLED_DATA_TABLES = bundled({
  holding: DATA_TABLES,
  resourceType: 'DataTable',
  word: 'dataTable',
  place: { each: pathOf },
  post: DataTablePost,
  // Its rows are what its columns say.
  neverReplaced: true,
  content: { kind: 'rows', path: pathOf, ending: '.csv', option: 'includeDataTableRows' },
  row: newTable,
});
