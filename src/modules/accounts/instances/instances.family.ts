import type { Family } from '../../../platform/families.js';
import { Instance } from './instance.resource.js';
import { InstancesModule } from './instances.module.js';

/** Instances. */
export const INSTANCES_FAMILY: Family = {
  modules: [InstancesModule],
  entities: [Instance],
  tags: [
    { name: 'instances', description: 'List the instances that you administer or can read.' },
    { name: 'instance', description: 'Read and update an instance.' },
  ],
};
