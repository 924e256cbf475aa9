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
  tag: {
    name: 'customNodes',
    title: 'Custom nodes',
    group: 'Workflows',
    resources: ['instanceCustomNodes', 'instanceCustomNode'],
    description:
      'Custom nodes for the workflows of all applications of an instance, and the statistics of their runs.',
  },
};
