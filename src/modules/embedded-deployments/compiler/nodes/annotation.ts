import { ANNOTATION } from '../../../flows/graph/embedded-nodes/annotation.js';
import { code } from '../code.js';
import { nodeKind } from './node-kind.js';

export const annotationNode = nodeKind(ANNOTATION, { emit: () => code`return 0;` });
