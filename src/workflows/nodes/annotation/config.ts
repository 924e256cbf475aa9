import { embeddedNode } from '../embedded-node.js';

/** A note for readers of the workflow; has no effect. */
export const ANNOTATION = embeddedNode('AnnotationNode', {});
