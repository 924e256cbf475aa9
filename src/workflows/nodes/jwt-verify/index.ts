import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Verifies a JSON Web Token. The second output is taken if it is valid. */
export const jwtVerifyNode: NodeKind = {
  type: 'JWTVerifyNode',
  classes: ENGINE_CLASSES,
  run,
};
