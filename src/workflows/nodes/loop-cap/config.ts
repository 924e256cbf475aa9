import { groupOf } from '../../graph/graph.js';
import { ConfigFault } from '../config-fault.js';
import { embeddedNode, FLAG, OPTIONAL_PATH } from '../embedded-node.js';
import { checkOptionalPath } from '../texts.js';

/**
 * Ends a round of the loop that it stands in: the payload goes on into the next one, or out of the loop where `shouldBreak`.
 * `mapValuePath` goes before that of the loop.
 */
export interface LoopCapConfig {
  readonly loopNodeId?: string;
  readonly shouldBreak?: boolean;
  readonly mapValuePath?: string;
}

export const LOOP_CAP = embeddedNode<LoopCapConfig>(
  'LoopCapNode',
  {
    properties: {
      loopNodeId: { type: 'string', minLength: 1, maxLength: 1024 },
      shouldBreak: FLAG,
      mapValuePath: OPTIONAL_PATH,
    },
  },
  ({ loopNodeId, mapValuePath }, node) => {
    const loop = groupOf(node);
    if (loopNodeId !== undefined && loopNodeId !== loop)
      throw new ConfigFault('loopNodeId', 'must be the loop that the node stands in, its meta.groupId');
    checkOptionalPath('mapValuePath', mapValuePath);
  },
);
