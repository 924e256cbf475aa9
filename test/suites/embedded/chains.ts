import { compile } from '../../../src/workflows/embedded/compile.js';
import { moduleFor } from '../../../src/workflows/embedded/device-facts.js';
import type { Bundle, CompilerOptions } from '../../../src/workflows/embedded/bundle.js';
import { checkGraph } from '../../../src/workflows/graph/graph.rules.js';
import type { FlowGraph, Json } from '../../../src/workflows/graph/graph.js';
import { DEVICE_ID, Host, type HostOptions } from './host.js';

/** Nodes in sequence: type and configuration of each. */
export type Chain = readonly (readonly [type: string, config?: Json])[];

export interface Outcome {
  /** Payload at the end of the chain, or at the point of failure. */
  payload: any;
  error?: { name: string; message: string };
  /** Return value of `eea_loop`. */
  code: number;
}

const OPTIONS: CompilerOptions = {
  traceLevel: 0,
  disableDebugMessage: false,
  debugSymbols: false,
  exportMemory: true,
};

/** Maximum payload of a message in bytes. */
export const MAX_PAYLOAD_LENGTH = 262_144;

/**
 * Returns a bundle with one workflow per chain. A direct trigger with the name of the chain starts it, and a debug node
 * reports the final payload.
 */
export function bundleOf(chains: Readonly<Record<string, Chain>>): Bundle {
  return {
    deviceId: DEVICE_ID,
    deploymentId: 'aaaaaaaaaaaaaaaaaaaaaaaa',
    identifier: '1700000000000',
    globals: [],
    flows: Object.entries(chains).map(([name, chain], i) => {
      const graph = graphOf(name, chain);
      checkGraph('embedded', graph);
      return { flowId: i.toString(16).padStart(24, '0'), name, version: 'v1', graph };
    }),
  };
}

/** Compiles a module of such workflows. */
export async function compileChains(
  chains: Readonly<Record<string, Chain>>,
  options: Partial<CompilerOptions> = {},
): Promise<Uint8Array> {
  const bundle = bundleOf(chains);
  const { module } = await compile(bundle, { ...OPTIONS, ...options });
  return moduleFor(bundle, module);
}

/** A device that runs such a module. */
export class ChainHost {
  readonly host: Host;

  constructor(module: Uint8Array, options?: HostOptions) {
    this.host = new Host(module, options);
    this.host.exports.eea_config_set_message_buffer_lengths!(256, MAX_PAYLOAD_LENGTH);
    this.host.exports.eea_init!();
  }

  /** Runs a chain with the given `data`. */
  run(name: string, data: unknown = {}): Outcome {
    const { host } = this;
    const before = host.sent.length;
    host.direct(name, data);
    const code = host.settle();
    const told = host.sent.slice(before).filter(({ topic }) => topic.endsWith('/fromAgent/debug'));
    if (told.length !== 1) throw new Error(`${name} sent ${told.length} debug messages`);
    const [{ payload, error }] = JSON.parse(told[0]!.payload) as [Omit<Outcome, 'code'>];
    return { payload, code, ...(error && { error }) };
  }
}

function graphOf(name: string, chain: Chain): FlowGraph {
  const nodes = [...chain, ['DebugNode', { message: name }] as const].map(([type, config], i) => ({
    id: `node${i}`,
    type,
    config,
    outputIds: i < chain.length ? [[`node${i + 1}`]] : [],
  }));
  return { triggers: [{ type: 'direct', key: name, outputIds: [['node0']] }], nodes };
}
