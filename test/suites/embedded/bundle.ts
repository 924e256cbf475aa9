import type { FlowGraph } from '../../../src/workflows/graph/graph.js';
import type { Bundle, CompilerOptions } from '../../../src/workflows/embedded/bundle.js';
import { DEVICE_ID } from './host.js';

export const DEPLOYMENT_ID = 'd'.repeat(24);

/** Options that enable all traces, debug messages and symbols. */
export const TALKATIVE: CompilerOptions = {
  traceLevel: 2,
  disableDebugMessage: false,
  debugSymbols: false,
  exportMemory: true,
};

/** Options for the smallest module. */
export const SILENT: CompilerOptions = { ...TALKATIVE, traceLevel: 0, disableDebugMessage: true };

/** Returns a bundle of workflows by name. */
export function bundleOf(graphs: Readonly<Record<string, FlowGraph>>, more: Partial<Bundle> = {}): Bundle {
  return {
    deviceId: DEVICE_ID,
    deploymentId: DEPLOYMENT_ID,
    identifier: '1700000000000',
    globals: [],
    flows: Object.entries(graphs).map(([name, graph], i) => ({
      flowId: String(i + 1).padStart(24, '0'),
      name,
      version: 'v1',
      graph,
    })),
    ...more,
  };
}
