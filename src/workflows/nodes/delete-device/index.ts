import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Deletes devices. */
export const deviceDeleteNode: NodeKind = {
  type: 'DeviceDeleteWorkflowNode',
  classes: RESOURCE_CLASSES,
  run,
};
