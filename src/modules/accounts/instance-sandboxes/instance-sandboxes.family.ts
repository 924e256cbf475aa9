import type { Family } from '../../../platform/families.js';
import { InstanceSandboxesModule } from './instance-sandboxes.module.js';

/** Users of an instance and the applications that they own themselves. */
export const INSTANCE_SANDBOXES_FAMILY: Family = {
  modules: [InstanceSandboxesModule],
  tags: [
    {
      name: 'instanceSandboxes',
      description: 'List the users of an instance with the contents of their sandboxes.',
    },
    { name: 'instanceSandbox', description: 'Read and delete a user of an instance, or undo the deletion.' },
  ],
};
