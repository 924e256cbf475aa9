import type { FlowNode } from '../graph/graph.js';
import type { WasmType } from './bundle.js';
import type { Code } from './code.js';

/**
 * How one type of node becomes code. What it does stands in the runtime; the code of a node only calls that with the
 * node's constants. For a node that reads a path, writes another and has one output:
 *
 *     // nodes/copy.ts
 *     export const copyNode = nodeKind(COPY, {
 *       runtime: code`import { copy } from './nodes/copy';`,
 *       emit: (config, to) => code`return copy(run, ${to.path(config.from)}, ${to.path(config.to)});`,
 *     });
 *
 *     // runtime/nodes/copy.ts
 *     export function copy(run: Run, from: Path, to: Path): i32 {
 *       const value = from.get(run.payload);
 *       if (value.isUndefined) return run.fail('ValidationError', 'there is nothing to copy');
 *       return put(run, to, value.clone());
 *     }
 *
 * The code is the body of a function `(run: Run) => i32` that returns the output to follow, `END` where the path ends
 * here, or what `run.fail` returns, which ends the run. `Run` says what else there is, loops among it.
 */
export interface NodeKind {
  readonly type: string;
  /** The imports of what the code calls, relative to the folder of the runtime. */
  readonly runtime?: Code;
  /** Whether it reads or writes the device's storage. */
  readonly storage?: true;
  emit(node: FlowNode, to: Emitter): Code;
}

/**
 * What a node's code is made with. Texts are what callers wrote; config was checked before with what
 * `flows/graph/embedded-nodes` declares of the type, so all of them parse.
 */
export interface Emitter {
  /** A `Value` made of JSON, shared by all runs: put a clone into payloads, unless it is a scalar. */
  constant(value: unknown): Code;
  /** A `string`. */
  string(text: string): Code;
  /** A `Path` of the payload, such as `data.items.[2]`. */
  path(path: string): Code;
  /** A `Value`: what an expression yields with this run's payload. */
  expression(expression: string): Code;
  /** A `string`: a template with its references replaced. */
  text(template: string): Code;
  /** A `Value`, undefined where it does not parse: the JSON that a template yields. */
  json(template: string): Code;
  /** The function that the host registered as `eea_fn_` + name; it takes `params` and answers an i32. */
  import(name: string, params: readonly WasmType[]): Code;
  /**
   * An own place for a `Value` that outlives runs but not the module, as `slots[n]`: undefined at first. `slots` comes
   * from `./slots`.
   */
  slot(): Code;
  /** All nodes of the workflow. */
  readonly nodes: readonly FlowNode[];
}
