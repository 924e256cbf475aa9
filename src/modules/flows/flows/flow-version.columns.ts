import { rowCount, type CountedRows } from '../../../platform/counts/count-triggers.js';

/** Returns SQL of a column of the workflow that the version `t` belongs to. */
export const ofWorkflow = (column: string): string =>
  `(SELECT own.${column} FROM flows own WHERE own.id = t.flow_id)`;

/** Count of versions of workflows. */
export const COUNTED_FLOW_VERSIONS: readonly CountedRows[] = [
  {
    table: 'flow_versions',
    holder: 'flow_id',
    amounts: rowCount('versionCount'),
    where: '(SELECT true FROM flows f WHERE f.id = r.flow_id)',
  },
];
