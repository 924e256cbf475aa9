import type { Family } from '../../../platform/families.js';
import { Instance } from './instance.resource.js';
import { InstancesModule } from './instances.module.js';

/** Instances. */
export const INSTANCES_FAMILY: Family = {
  modules: [InstancesModule],
  entities: [Instance],
  tag: {
    name: 'instances',
    title: 'Instances',
    group: 'Instances',
    resources: ['instances', 'instance'],
    description: 'Instances that you administer or can read, and their usage reports.',
  },
};
