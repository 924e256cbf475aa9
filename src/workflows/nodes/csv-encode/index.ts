import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Formats a list of objects as CSV with a header line. */
export const csvEncodeNode: NodeKind = {
  type: 'CSVEncodeNode',
  classes: ENGINE_CLASSES,
  run,
};
