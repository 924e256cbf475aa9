import type { Family } from '../../../platform/families.js';
import { FLOW_RUN_PAYLOADS, FlowRunPayload } from './flow-run-payload.entity.js';
import { FLOW_RUN_SUMS, FlowRunSum } from './flow-run-sum.entity.js';
import { FLOW_RUNS, FlowRun } from './flow-run.entity.js';
import { FlowRunsModule } from './flow-runs.module.js';
import { FLOW_STORAGE, FlowStorage } from './flow-storage.entity.js';

/** Runs of workflows and their stored values. */
export const FLOW_RUNS_FAMILY: Family = {
  modules: [FlowRunsModule],
  entities: [FlowRun, FlowRunPayload, FlowRunSum, FlowStorage],
  holdings: [FLOW_STORAGE, FLOW_RUN_SUMS, FLOW_RUN_PAYLOADS, FLOW_RUNS],
  neverBundled: {
    flow_run_payloads: 'History.',
    flow_run_sums: 'History.',
    flow_runs: 'History.',
    flow_storage: 'Values that the workflows of this application stored at run time.',
  },
};
