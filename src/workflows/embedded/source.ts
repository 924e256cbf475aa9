import { NODE_KINDS } from '../nodes/index.js';
import { faultOfConfig } from '../nodes/node-fault.js';
import type { FlowNode } from '../graph/graph.js';
import {
  CompileError,
  INTERFACE_VERSION,
  type BundleContents,
  type BundledFlow,
  type CompilerOptions,
  type FunctionImport,
  type WasmType,
} from './bundle.js';
import { Code, code } from './code.js';
import { bytes, Constants, table } from './constants.js';
import type { Emitter } from './emitter.js';
import { PLACEHOLDERS } from './device-facts.js';
import { expressionEmitter, EXPRESSIONS_RUNTIME } from './expressions.js';
import { programOf, type Outputs, type ProgramStep } from './program.js';

const TOPIC_PREFIX = 'fieldwright';
/** Default stack size in bytes, and the size of a pending path. */
const STACK_SIZE = 131_072;
const QUEUE_SIZE = 128;

export interface BundleSource {
  /** Files that replace those of the runtime, keyed by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly imports: readonly FunctionImport[];
}

/** Returns the source of a bundle: its constants, tables and steps. */
export function sourceOf(bundle: BundleContents, options: CompilerOptions): BundleSource {
  const program = programOf(bundle);
  const constants = new Constants();
  // Constant 0 is the node ID of a step without a node.
  constants.add(null);
  const parts = new ConfigParts(constants);
  const steps = program.steps.map((step, i) => parts.step(step, i));
  const outputs = [...program.steps, ...program.triggers].map((part) => [
    'node' in part ? constants.add(part.node.id) : 0,
    ...numbersOf(part.outputs),
  ]);
  const triggers = program.triggers.flatMap(({ kind, flow, type, key, uiId, period }) => [
    kind,
    flow,
    ...[type, key, uiId, period].map((value) => constants.add(value)),
  ]);
  const flows = program.flows.flatMap(({ id, name, version, globals }) =>
    [id, name, version, globals].map((value) => constants.add(value)),
  );
  const prefix = constants.add(options.topicPrefix ?? TOPIC_PREFIX);
  const data = code`
    export const TRACE_LEVEL: i32 = ${options.traceLevel};
    export const DEBUG: bool = ${options.disableDebugMessage ? code`false` : code`true`};
    export const STORAGE: bool = ${parts.storage ? code`true` : code`false`};
    export const DEEPEST_STACK: i32 = ${Math.ceil((options.stackSize ?? STACK_SIZE) / QUEUE_SIZE)};
    export const SLOTS: i32 = ${parts.slots};
    export const TRIGGERS: i32 = ${program.triggers.length};
    export const TRIGGER_TABLE: usize = ${table(triggers)};
    export const FLOW_TABLE: usize = ${table(flows)};
    export const STEPS: i32 = ${program.steps.length};
    export const STEP_TABLE: usize = ${table(outputs.flat())};
    export const STEP_STARTS: usize = ${table(startsOf(outputs))};
    export const DEVICE_ID: usize = ${bytes(PLACEHOLDERS.deviceId)};
    export const DEPLOYMENT_ID: usize = ${bytes(PLACEHOLDERS.deploymentId)};
    export const TOPIC_PREFIX: i32 = ${prefix};
    ${published('BUNDLE_IDENTIFIER', PLACEHOLDERS.identifier)}
    ${published('INTERFACE_VERSION', Buffer.from(INTERFACE_VERSION))}
    ${constants.source}`;
  const functions = code`
    import { END, FAILED, Frame, Run } from './run';
    import { constant, text } from './constants.ts';
    import { UNDEFINED, Value } from './value';
    ${EXPRESSIONS_RUNTIME}
    ${parts.runtime}
    ${parts.functions}
    ${steps}
    export function step(index: i32, run: Run): i32 {
      switch (index) {
        ${steps.map((_, i) => code`case ${i}: return step${i}(run);`)}
      }
      return END;
    }`;
  return { files: { 'bundle.ts': data.source, 'steps.ts': functions.source }, imports: parts.imports };
}

/** Declares a text that hosts read by its address, followed by a byte with its length. */
function published(name: 'BUNDLE_IDENTIFIER' | 'INTERFACE_VERSION', data: Uint8Array): Code {
  const identifier = Code.identifier(name);
  return code`
    export const ${identifier}: usize = ${bytes(Buffer.concat([data, Buffer.of(data.length)]))};
    export const ${identifier}_LENGTH: usize = ${identifier} + ${data.length};`;
}

/** Encodes outputs: their number, and for each one the number of steps and the steps themselves. */
function numbersOf(outputs: Outputs): number[] {
  return [outputs.length, ...outputs.flatMap((steps) => [steps.length, ...steps])];
}

/** Returns the start of each list when the lists are concatenated. */
function startsOf(lists: readonly (readonly number[])[]): number[] {
  let end = 0;
  return lists.map(({ length }) => (end += length) - length);
}

/** Collects everything that steps need while they are emitted. */
class ConfigParts {
  slots = 0;
  storage = false;
  readonly #runtime = new Map<string, Code>();
  readonly #functions = new Map<string, { params: readonly WasmType[]; at: string; code: Code }>();

  constructor(readonly constants: Constants) {}

  /** Imports from the runtime. */
  get runtime(): readonly Code[] {
    return [...this.#runtime.values()];
  }

  /** Declarations of registered functions. */
  get functions(): readonly Code[] {
    return [...this.#functions.values()].map((known) => known.code);
  }

  get imports(): readonly FunctionImport[] {
    return [...this.#functions]
      .map(([name, { params }]) => ({ name: `eea_fn_${name}`, params }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  step({ flow, node }: ProgramStep, index: number): Code {
    const made = NODE_KINDS.get(node.type)?.embedded;
    if (!made) throw faultOf(flow, node, 'type', `${node.type} cannot be compiled`);
    const fault = faultOfConfig(node);
    if (fault) {
      // The message starts with the name of the faulty field.
      const [field = ''] = fault.split(' ', 1);
      throw faultOf(flow, node, field, fault.slice(field.length + 1));
    }
    const { runtime, storage = false } = made;
    if (runtime) this.#runtime.set(runtime.source, runtime);
    this.storage ||= storage;
    const body = made.emit(node.config ?? {}, this.#emitter(flow, node), node);
    return code`function step${index}(run: Run): i32 { ${body} }`;
  }

  #emitter(flow: BundledFlow, node: FlowNode): Emitter {
    const { constants } = this;
    return {
      constant: (value) => code`constant(${constants.add(value)})`,
      string: (value) => code`text(${constants.add(value)})`,
      ...expressionEmitter(constants),
      import: (name, params) => this.#function(flow, node, name, params),
      slot: () => code`${this.slots++}`,
      nodes: flow.graph.nodes ?? [],
    };
  }

  /** Returns the imported function with this name, declaring it on first use. */
  #function(flow: BundledFlow, node: FlowNode, name: string, params: readonly WasmType[]): Code {
    const identifier = Code.identifier(name);
    const known = this.#functions.get(name);
    if (known && known.params.join() !== params.join())
      throw faultOf(flow, node, 'config', `${name} has other parameters at ${known.at}`);
    if (!known) {
      const types = params.map((type, i) => code`p${i}: ${Code.identifier(type)}`);
      this.#functions.set(name, {
        params,
        at: `node ${node.id} of workflow ${JSON.stringify(flow.name)}`,
        code: code`@external("env", "eea_fn_${identifier}") declare function eea_fn_${identifier}(${Code.list(types)}): i32;`,
      });
    }
    return code`eea_fn_${identifier}`;
  }
}

function faultOf(flow: BundledFlow, node: FlowNode, field: string, reason: string): CompileError {
  return new CompileError(reason, { flowId: flow.flowId, flowName: flow.name, node: node.id, field });
}
