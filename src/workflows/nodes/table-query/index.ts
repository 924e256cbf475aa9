import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Finds rows of a data table. */
export const dataTableQueryNode: NodeKind = { type: 'DataTableQueryNode', classes: RESOURCE_CLASSES, run };
