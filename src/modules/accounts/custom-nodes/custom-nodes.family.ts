import { rowCount } from '../../../platform/counts/count-triggers.js';
import type { Family } from '../../../platform/families.js';
import { CustomNodesModule } from './custom-nodes.module.js';
import { InstanceCustomNode } from './instance-custom-node.resource.js';

/** Custom nodes of instances. */
export const CUSTOM_NODES_FAMILY: Family = {
  modules: [CustomNodesModule],
  entities: [InstanceCustomNode],
  countedRows: [
    { table: 'instance_custom_nodes', holder: 'instance_id', amounts: rowCount('customNodeCount') },
  ],
  tags: [
    {
      name: 'instanceCustomNodes',
      description: 'List and create custom nodes for all applications of an instance.',
    },
    {
      name: 'instanceCustomNode',
      description: 'Read, update and delete a custom node, and read the statistics of its runs.',
    },
  ],
};
