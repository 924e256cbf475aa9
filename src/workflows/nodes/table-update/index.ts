import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Changes a row of a data table. */
export const dataTableUpdateRowNode: NodeKind = {
  type: 'DataTableUpdateRowNode',
  classes: RESOURCE_CLASSES,
  run,
};
