import type { FlowNode } from '../graph/graph.js';
import type { WasmType } from './bundle.js';
import type { Code } from './code.js';

/**
 * Converts one type of node to code. Its behavior is implemented in AssemblyScript; the code of a node only calls it
 * with the node's constants. Example of a node that reads a path, writes another and has one output, in
 * nodes/copy/emit.ts:
 *
 *     export const embedded: NodeCode<CopyConfig> = {
 *       runtime: code`import { copy } from '../../nodes/copy/wasm';`,
 *       emit: (config, to) => code`return copy(run, ${to.path(config.from)}, ${to.path(config.to)});`,
 *     };
 *
 * and its implementation, in nodes/copy/wasm/index.ts:
 *
 *     export function copy(run: Run, from: Path, to: Path): i32 {
 *       const value = from.get(run.payload);
 *       if (value.isUndefined) return run.fail('ValidationError', 'there is nothing to copy');
 *       return put(run, to, value.clone());
 *     }
 *
 * The code is a function body. The function `(run: Run) => i32` returns the output to follow, `END` if the path ends
 * here, or the result of `run.fail`, which ends the run. See `Run` for other features, such as loops.
 */
export interface NodeCode<C extends object = object> {
  /** Imports that the code needs, relative to the runtime folder. */
  readonly runtime?: Code;
  /** Whether the node reads or writes the device's storage. */
  readonly storage?: true;
  emit(config: C, to: Emitter, node: FlowNode): Code;
}

/**
 * Creates the code of a node. Texts come from callers; the config was validated against the declaration of the type, so all of them can be parsed.
 */
export interface Emitter {
  /** Returns a `Value` created from JSON and shared by all runs: put a clone into payloads, unless it is a scalar. */
  constant(value: unknown): Code;
  /** A `string`. */
  string(text: string): Code;
  /** Returns a `Path` in the payload, such as `data.items.[2]`. */
  path(path: string): Code;
  /** Returns a `Value`: the result of the expression with the payload of the run. */
  expression(expression: string): Code;
  /** Returns a `string`: the template with its references replaced. */
  text(template: string): Code;
  /** Returns a `Value`: the JSON of the rendered template, undefined if it cannot be parsed. */
  json(template: string): Code;
  /** Returns the function that the host registered as `eea_fn_` + name. It takes `params` and returns an i32. */
  import(name: string, params: readonly WasmType[]): Code;
  /**
   * Allocates a slot for a `Value` that outlives runs but not the module, as `slots[n]`, initially undefined. `slots`
   * is imported from `./slots`.
   */
  slot(): Code;
  /** All nodes of the workflow. */
  readonly nodes: readonly FlowNode[];
}
