import type { Family } from '../../../platform/families.js';
import { EMBEDDED_EXPORT } from './embedded-export.job.js';
import { EMBEDDED_MODULES, EmbeddedModule } from './embedded-module.entity.js';
import { EmbeddedModulesModule } from './embedded-modules.module.js';

/** Compiled modules of embedded devices. */
export const EMBEDDED_MODULES_FAMILY: Family = {
  modules: [EmbeddedModulesModule],
  entities: [EmbeddedModule],
  holdings: [EMBEDDED_MODULES],
  neverBundled: {
    embedded_modules: 'Compiled from the contents of the bundle.',
  },
  jobs: [EMBEDDED_EXPORT],
};
