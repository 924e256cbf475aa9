import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Deletes an experience user. */
export const deleteExperienceUserNode: NodeKind = {
  type: 'DeleteExperienceUserNode',
  classes: RESOURCE_CLASSES,
  run,
};
