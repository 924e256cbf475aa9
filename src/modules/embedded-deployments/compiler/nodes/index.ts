import type { NodeKind } from '../emitter.js';

/** Every type of node that compiles, one line each. */
const KINDS: readonly NodeKind[] = [];

export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
