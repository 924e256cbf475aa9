import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Changes an experience group. */
export const updateExperienceGroupNode: NodeKind = {
  type: 'UpdateExperienceGroupNode',
  classes: RESOURCE_CLASSES,
  run,
};
