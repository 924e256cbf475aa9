import { ANNOTATION } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const annotationNode = nodeKind(ANNOTATION, { emit: () => code`return 0;` });
