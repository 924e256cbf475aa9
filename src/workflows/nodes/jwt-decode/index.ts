import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Decodes a JSON Web Token without verifying it. */
export const jwtDecodeNode: NodeKind = {
  type: 'JWTDecodeNode',
  classes: ENGINE_CLASSES,
  run,
};
