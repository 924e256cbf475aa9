import type { Family } from '../../../platform/families.js';
import { FROZEN_FLOWS } from './experience-flows.columns.js';
import { COUNTED_FLOW_VERSIONS } from './flow-version.columns.js';
import { FLOW_VERSIONS, FlowVersion } from './flow-version.resource.js';
import {
  BUNDLED_EXPERIENCE_FLOWS,
  BUNDLED_FLOWS,
  BUNDLED_FLOW_VERSIONS,
  BUNDLED_EXPERIENCE_FLOW_VERSIONS,
} from './flow.bundle.js';
import { FLOWS, Flow } from './flow.resource.js';
import { FLOW_PURGE } from './flows.jobs.js';
import { FlowsModule } from './flows.module.js';
import { RECENT_FLOW } from './flows.repository.js';

/** Workflows and their versions. */
export const FLOWS_FAMILY: Family = {
  modules: [FlowsModule],
  entities: [Flow, FlowVersion],
  holdings: [FLOWS, FLOW_VERSIONS],
  bundles: [BUNDLED_FLOWS, BUNDLED_EXPERIENCE_FLOWS, BUNDLED_FLOW_VERSIONS],
  keptBundles: [BUNDLED_EXPERIENCE_FLOW_VERSIONS],
  frozen: [FROZEN_FLOWS],
  jobs: [FLOW_PURGE],
  recentKinds: { flow: RECENT_FLOW },
  countedRows: COUNTED_FLOW_VERSIONS,
  tags: [
    {
      name: 'flows',
      description: 'List, create and import workflows of an application, and list the available nodes.',
    },
    {
      name: 'flow',
      description: 'Read, update and delete a workflow, its stored values and the statistics of its runs.',
    },
    { name: 'flowVersions', description: 'List, create and delete versions of a workflow.' },
    {
      name: 'flowVersion',
      description: 'Read and delete a workflow version, and read the statistics of its runs.',
    },
  ],
};
