import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const annotationNode: NodeKind = {
  type: 'AnnotationNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
