import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Creates an experience group. */
export const createExperienceGroupNode: NodeKind = {
  type: 'CreateExperienceGroupNode',
  classes: RESOURCE_CLASSES,
  run,
};
