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
  tag: {
    name: 'flows',
    title: 'Workflows',
    group: 'Workflows',
    resources: ['flows', 'flow', 'flowVersions', 'flowVersion', 'flowRuns', 'flowRun'],
    description:
      'Workflows and their versions: their stored values, the statistics of their runs, and the available nodes.',
  },
};
