import type { Family } from '../../../platform/families.js';
import { FLOW_NODE_STATES, FlowNodeState } from './flow-node-state.entity.js';
import { FLOW_RUN_PAYLOADS, FlowRunPayload } from './flow-run-payload.entity.js';
import { FLOW_RUN_SUMS, FlowRunSum } from './flow-run-sum.entity.js';
import { FLOW_RUN_TRACES, FlowRunTrace } from './flow-run-trace.entity.js';
import { FLOW_RUNS, FlowRun } from './flow-run.entity.js';
import { FlowRunsModule } from './flow-runs.module.js';
import { FLOW_STORAGE, FlowStorage } from './flow-storage.entity.js';

/** Runs of workflows and their stored values. */
export const FLOW_RUNS_FAMILY: Family = {
  modules: [FlowRunsModule],
  entities: [FlowNodeState, FlowRun, FlowRunPayload, FlowRunSum, FlowRunTrace, FlowStorage],
  holdings: [FLOW_STORAGE, FLOW_NODE_STATES, FLOW_RUN_SUMS, FLOW_RUN_PAYLOADS, FLOW_RUNS, FLOW_RUN_TRACES],
  neverBundled: {
    flow_node_states: 'States that the nodes of this application stored at run time.',
    flow_run_payloads: 'History.',
    flow_run_sums: 'History.',
    flow_run_traces: 'History.',
    flow_runs: 'History.',
    flow_storage: 'Values that the workflows of this application stored at run time.',
  },
};
