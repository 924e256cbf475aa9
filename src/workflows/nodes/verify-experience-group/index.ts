import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Continues with output 1 if a user is a member of a group or of one of its ancestors, otherwise with output 0. */
export const verifyExperienceGroupNode: NodeKind = {
  type: 'VerifyExperienceGroupNode',
  classes: RESOURCE_CLASSES,
  run,
};
