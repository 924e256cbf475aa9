import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Executes a statement in a SQL database. */
export const sqlNode: NodeKind = {
  type: 'SqlNode',
  classes: ENGINE_CLASSES,
  run,
};
