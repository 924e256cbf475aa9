import type { Family } from '../../../platform/families.js';
import { ApplicationTemplatesModule } from './application-templates.module.js';

/** Templates from which applications are created. */
export const APPLICATION_TEMPLATES_FAMILY: Family = {
  modules: [ApplicationTemplatesModule],
  tags: [
    {
      name: 'applicationTemplates',
      description: 'Browse and search the catalog of templates from which applications can be created.',
    },
    { name: 'applicationTemplate', description: 'Read an application template.' },
  ],
};
