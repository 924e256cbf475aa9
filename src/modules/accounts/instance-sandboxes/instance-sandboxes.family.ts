import type { Family } from '../../../platform/families.js';
import { InstanceSandboxesModule } from './instance-sandboxes.module.js';

/** Users of an instance and the applications that they own themselves. */
export const INSTANCE_SANDBOXES_FAMILY: Family = {
  modules: [InstanceSandboxesModule],
  tag: {
    name: 'instanceSandboxes',
    title: 'Sandboxes',
    group: 'Instances',
    resources: ['instanceSandboxes', 'instanceSandbox'],
    description: 'Users of an instance with the contents of their sandboxes: read, delete and restore them.',
  },
};
