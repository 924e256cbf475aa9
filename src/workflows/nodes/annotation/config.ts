import { embeddedNode } from '../embedded-node.js';

/** A note for whoever looks at the workflow; it does nothing. */
export const ANNOTATION = embeddedNode('AnnotationNode', {});
