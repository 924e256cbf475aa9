import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Adds rows to a data table. */
export const dataTableInsertRowNode: NodeKind = {
  type: 'DataTableInsertRowNode',
  classes: RESOURCE_CLASSES,
  run,
};
