import { embeddedNode, EXPRESSION, PATH } from '../embedded-node.js';
import { checkExpression, checkTarget } from '../texts.js';

/** Reckons its statements one after another; each may read what those before it wrote. What is no number becomes null. */
export interface MathConfig {
  readonly statements?: readonly { readonly expression: string; readonly resultPath: string }[];
}

export const MATH = embeddedNode<MathConfig>(
  'MathNode',
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
