import { embeddedNode, EXPRESSION } from '../embedded-node.js';
import { checkExpression } from '../texts.js';

/** Leads to output 1 where the expression is true, else to output 0. */
export interface ConditionalConfig {
  readonly expression: string;
}

export const CONDITIONAL = embeddedNode<ConditionalConfig>(
  'ConditionalNode',
  { required: ['expression'], properties: { expression: EXPRESSION } },
  ({ expression }) => checkExpression('expression', expression),
);
