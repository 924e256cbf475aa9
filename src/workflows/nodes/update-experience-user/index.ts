import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Changes an experience user. */
export const updateExperienceUserNode: NodeKind = {
  type: 'UpdateExperienceUserNode',
  classes: RESOURCE_CLASSES,
  run,
};
