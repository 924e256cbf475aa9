import type { Family } from '../../../platform/families.js';
import { ApplicationTemplatesModule } from './application-templates.module.js';

/** Templates from which applications are created. */
export const APPLICATION_TEMPLATES_FAMILY: Family = {
  modules: [ApplicationTemplatesModule],
  tag: {
    name: 'applicationTemplates',
    title: 'Application templates',
    group: 'Applications',
    resources: ['applicationTemplates', 'applicationTemplate'],
    description: 'The catalog of templates from which applications can be created.',
  },
};
