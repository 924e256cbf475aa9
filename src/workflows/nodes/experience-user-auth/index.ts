import { RESOURCE_CLASSES } from '../resources/call-api.js';
import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Signs in an experience user by password or token. The second output is taken if the credentials are right. */
export const experienceUserAuthNode: NodeKind = {
  type: 'ExperienceUserAuthNode',
  classes: RESOURCE_CLASSES,
  run,
};
