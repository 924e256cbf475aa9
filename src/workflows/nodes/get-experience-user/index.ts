import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Finds experience users. */
export const getExperienceUserNode: NodeKind = {
  type: 'GetExperienceUserNode',
  classes: RESOURCE_CLASSES,
  run,
};
