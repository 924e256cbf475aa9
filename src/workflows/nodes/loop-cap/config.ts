import { groupOf } from '../../graph/graph.js';
import { ConfigFault } from '../config-fault.js';
import { nodeConfig, FLAG, OPTIONAL_PATH } from '../node-config.js';
import { checkOptionalPath } from '../texts.js';

/**
 * Ends an iteration of the enclosing loop. The payload continues in the next iteration, or after the loop if
 * `shouldBreak`. `mapValuePath` overrides that of the loop.
 */
export interface LoopCapConfig {
  readonly loopNodeId?: string;
  readonly shouldBreak?: boolean;
  readonly mapValuePath?: string;
}

export const config = nodeConfig<LoopCapConfig>(
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
      throw new ConfigFault('loopNodeId', "must be the enclosing loop, the node's meta.groupId");
    checkOptionalPath('mapValuePath', mapValuePath);
  },
);
