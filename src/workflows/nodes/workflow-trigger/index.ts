import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Presses a virtual button of a workflow. */
export const workflowTriggerNode: NodeKind = { type: 'WorkflowTriggerNode', classes: RESOURCE_CLASSES, run };
