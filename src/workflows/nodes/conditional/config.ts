import { nodeConfig, EXPRESSION } from '../node-config.js';
import { checkExpression } from '../texts.js';

/** Continues with output 1 if the expression is true, otherwise with output 0. */
export interface ConditionalConfig {
  readonly expression: string;
}

export const config = nodeConfig<ConditionalConfig>(
  { required: ['expression'], properties: { expression: EXPRESSION } },
  ({ expression }) => checkExpression('expression', expression),
);
