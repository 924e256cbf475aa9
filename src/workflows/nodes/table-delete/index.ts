import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Deletes rows of a data table. */
export const dataTableDeleteRowNode: NodeKind = {
  type: 'DataTableDeleteRowNode',
  classes: RESOURCE_CLASSES,
  run,
};
