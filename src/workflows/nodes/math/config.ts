import { nodeConfig, EXPRESSION, PATH } from '../node-config.js';
import { checkExpression, checkTarget } from '../texts.js';

/**
 * Evaluates its statements in order; each can read the results of previous ones. Values that are not numbers become
 * `null`.
 */
export interface MathConfig {
  readonly statements?: readonly { readonly expression: string; readonly resultPath: string }[];
}

export const config = nodeConfig<MathConfig>(
  {
    properties: {
      statements: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['expression', 'resultPath'],
          properties: { expression: { ...EXPRESSION, minLength: 1 }, resultPath: PATH },
        },
      },
    },
  },
  ({ statements = [] }) =>
    statements.forEach(({ expression, resultPath }, i) => {
      checkExpression(`statements.${i}.expression`, expression);
      checkTarget(`statements.${i}.resultPath`, resultPath);
    }),
);
