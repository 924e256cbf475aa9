import { isId } from '../../graph/graph.js';
import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Executes a custom node. */
export const customNodeExecuteNode: NodeKind = {
  type: 'CustomNodeExecuteNode',
  classes: ENGINE_CLASSES,
  check: ({ config }, { ownId }) => {
    const executed = config?.customNodeId;
    return ownId && isId(executed) && executed.toLowerCase() === ownId
      ? 'A custom node cannot execute itself.'
      : undefined;
  },
  run,
};
