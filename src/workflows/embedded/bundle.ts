import type { FlowGraph } from '../graph/graph.js';

/** Version of the interface between modules and hosts. The major version changes with incompatible changes only. */
export const INTERFACE_VERSION = '1.0.0';

/** What distinguishes the modules of devices with the same workflows. */
export interface DeviceFacts {
  readonly deviceId: string;
  readonly deploymentId: string;
  /** Version of the bundle: Unix time in milliseconds at which it became desired, 13 digits. */
  readonly identifier: string;
}

/** Input of the compiler, the same for all devices with these workflows. */
export interface BundleContents {
  /** Globals of the application. A workflow's own globals take precedence. */
  readonly globals: NonNullable<FlowGraph['globals']>;
  readonly flows: readonly BundledFlow[];
}

/** Input for the module of one device. */
export interface Bundle extends DeviceFacts, BundleContents {}

/** Workflow of a bundle. */
export interface BundledFlow {
  readonly flowId: string;
  readonly name: string;
  readonly version: string;
  readonly graph: FlowGraph;
}

export interface CompilerOptions {
  /** Maximum trace level: 0 nothing, 1 errors, 2 everything. */
  readonly traceLevel: 0 | 1 | 2;
  /** Whether to leave debug messages out of the module. */
  readonly disableDebugMessage: boolean;
  /** Maximum number of bytes for pending paths of a run; a run that needs more fails. */
  readonly stackSize?: number;
  /** Whether to keep function names and create a source map. */
  readonly debugSymbols: boolean;
  /** Whether the module exports its memory instead of importing `env.memory`. */
  readonly exportMemory: boolean;
  /** First level of all topics; defaults to `fieldwright`. */
  readonly topicPrefix?: string;
}

/** WebAssembly type of a parameter or result. */
export type WasmType = 'i32' | 'i64' | 'f32' | 'f64';

/** Registered function that the host must supply under this import name. It returns an i32; 0 means success. */
export interface FunctionImport {
  readonly name: string;
  readonly params: readonly WasmType[];
}

export interface CompiledBundle {
  /** Module with placeholders instead of device facts; see `moduleFor`. */
  readonly module: Uint8Array;
  /** Source map, if debug symbols were requested. */
  readonly symbols?: Uint8Array;
  /** Imports named `eea_fn_…`, sorted by name. */
  readonly imports: readonly FunctionImport[];
}

/** Location of a compile error. */
export interface CompileFault {
  readonly flowId?: string;
  readonly flowName?: string;
  /** ID, or else type, of the faulty node or trigger. */
  readonly node?: string;
  readonly field?: string;
}

/** Compile error. The message names the workflow, node and field as far as they are known. */
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
