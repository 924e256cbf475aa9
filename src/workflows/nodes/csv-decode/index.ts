import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Parses CSV with a header line into a list of objects. */
export const csvDecodeNode: NodeKind = {
  type: 'CSVDecodeNode',
  classes: ENGINE_CLASSES,
  run,
};
