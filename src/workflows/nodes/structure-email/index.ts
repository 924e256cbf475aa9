import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a mail from the address of the platform. */
export const structureEmailNode: NodeKind = {
  type: 'StructureEmailNode',
  classes: ['cloud', 'customNode', 'experience'],
  run,
};
