import type { EmbeddedNode } from './embedded-node.js';
import type { FlowNode } from '../graph/graph.js';
import { code, type Code } from '../embedded/code.js';
import type { Emitter, NodeKind } from '../embedded/emitter.js';

/** Defines the compilation of a declared node type from its typed configuration. */
export function nodeKind<C extends object>(
  { type }: EmbeddedNode<C>,
  kind: Omit<NodeKind, 'type' | 'emit'> & { emit(config: C, to: Emitter, node: FlowNode): Code },
): NodeKind {
  return { ...kind, type, emit: (node, to) => kind.emit((node.config ?? {}) as C, to, node) };
}

/** Returns code for a path, or null if it is not set. */
export function optionalPath(to: Emitter, path: string | undefined): Code {
  return path ? to.path(path) : code`null`;
}
