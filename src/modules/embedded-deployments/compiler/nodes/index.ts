import type { NodeKind } from '../emitter.js';
import { annotationNode } from './annotation.js';
import { conditionalNode } from './conditional.js';
import { switchNode } from './switch.js';

/** Every type of node that compiles, one line each. */
const KINDS: readonly NodeKind[] = [annotationNode, conditionalNode, switchNode];

export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
