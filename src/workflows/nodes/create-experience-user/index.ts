import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Creates an experience user. */
export const createExperienceUserNode: NodeKind = {
  type: 'CreateExperienceUserNode',
  classes: RESOURCE_CLASSES,
  run,
};
