import type { NodeCode } from '../embedded/emitter.js';
import type { CheckContext } from '../graph/class-rules.js';
import type { FlowClass, FlowNode } from '../graph/graph.js';
import type { NodeConfig } from './node-config.js';

/** Node type: declared once, in `nodes/<kind>/index.ts`. */
export interface NodeKind<C extends object = object> {
  readonly type: string;
  /** Classes of workflows that can contain it. */
  readonly classes: readonly FlowClass[];
  /**
   * Returns the error of a node that its workflow cannot contain, or `undefined`. Runs before the configuration is
   * checked, and for all classes.
   */
  check?(node: FlowNode, context: CheckContext): string | undefined;
  /** Its configuration. Absent if any configuration is accepted. */
  readonly config?: NodeConfig<C>;
  /** Its compilation for devices. Required for the class `embedded`. */
  readonly embedded?: NodeCode<C>;
}
