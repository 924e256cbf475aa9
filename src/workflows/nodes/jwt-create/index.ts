import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Signs a JSON Web Token. */
export const jwtCreateNode: NodeKind = {
  type: 'JWTCreateNode',
  classes: ENGINE_CLASSES,
  run,
};
