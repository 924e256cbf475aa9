import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Returns the tree of experience groups. */
export const experienceGroupSummaryNode: NodeKind = {
  type: 'ExperienceGroupSummaryNode',
  classes: RESOURCE_CLASSES,
  run,
};
