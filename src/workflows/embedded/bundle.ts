import type { FlowGraph } from '../graph/graph.js';

/** The version of the interface between modules and hosts. Only what is incompatible changes its first number. */
export const INTERFACE_VERSION = '1.0.0';

/** All that is compiled into the module of one device. */
export interface Bundle {
  readonly deviceId: string;
  readonly deploymentId: string;
  /** The bundle's version: 13 digits, the milliseconds at which it became desired. */
  readonly identifier: string;
  /** The globals of the application; a workflow's own of the same key win. */
  readonly globals: NonNullable<FlowGraph['globals']>;
  readonly flows: readonly BundledFlow[];
}

/** One workflow of a bundle. */
export interface BundledFlow {
  readonly flowId: string;
  readonly name: string;
  readonly version: string;
  readonly graph: FlowGraph;
}

export interface CompilerOptions {
  /** The most that the module traces: 0 nothing, 1 errors, 2 everything. */
  readonly traceLevel: 0 | 1 | 2;
  /** Leaves debug messages out of the module. */
  readonly disableDebugMessage: boolean;
  /** Bytes that the paths waiting in a run may take; a run that needs more fails. */
  readonly stackSize?: number;
  /** Keeps names of functions in the module, and makes a source map. */
  readonly debugSymbols: boolean;
  /** Whether the module brings its memory, in place of importing `env.memory`. */
  readonly exportMemory: boolean;
  /** The first level of every topic; `fieldwright` where not given. */
  readonly topicPrefix?: string;
}

/** The type of a parameter or result of WebAssembly. */
export type WasmType = 'i32' | 'i64' | 'f32' | 'f64';

/** A registered function that the host must supply, by its import's name. It answers an i32, 0 for success. */
export interface FunctionImport {
  readonly name: string;
  readonly params: readonly WasmType[];
}

export interface CompiledBundle {
  readonly module: Uint8Array;
  /** The source map, where debug symbols were asked for. */
  readonly symbols?: Uint8Array;
  /** The `eea_fn_…` imports, by name. */
  readonly imports: readonly FunctionImport[];
}

/** Why a bundle does not compile. */
export interface CompileFault {
  readonly flowId?: string;
  readonly flowName?: string;
  /** The node or trigger at fault: its id, else its type. */
  readonly node?: string;
  readonly field?: string;
}

/** A bundle does not compile; the message names workflow, node and field as far as they are known. */
export class CompileError extends Error {
  override readonly name = 'CompileError';

  constructor(
    readonly reason: string,
    readonly fault: CompileFault = {},
  ) {
    const { flowName, node, field } = fault;
    const at = [flowName && `workflow ${JSON.stringify(flowName)}`, node && `node ${node}`, field];
    super([at.filter(Boolean).join(', '), reason].filter(Boolean).join(': '));
  }
}
