import { CONDITIONAL } from './config.js';
import { code } from '../../embedded/code.js';
import { nodeKind } from '../node-kind.js';

export const conditionalNode = nodeKind(CONDITIONAL, {
  emit: ({ expression }, to) => code`return ${to.expression(expression)}.truthy ? 1 : 0;`,
});
