import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads and changes documents of MongoDB. */
export const mongoNode: NodeKind = {
  type: 'MongoNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
