import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Finds experience groups. */
export const getExperienceGroupNode: NodeKind = {
  type: 'GetExperienceGroupNode',
  classes: RESOURCE_CLASSES,
  run,
};
