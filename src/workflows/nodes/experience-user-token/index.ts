import { RESOURCE_CLASSES } from '../resources/call-api.js';
import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Creates a token with which an experience user is signed in. */
export const experienceUserTokenNode: NodeKind = {
  type: 'ExperienceUserTokenNode',
  classes: RESOURCE_CLASSES,
  run,
};
