import { KINDS, Values } from '../../../test/suites/embedded/values.js';
import { CASES, PAYLOAD } from './evaluate.cases.js';
import { evaluate } from './evaluate.js';
import { parseExpression } from './parse-expression.js';

let values: Values;
beforeAll(async () => {
  values = await Values.compiled(CASES.map(([expression]) => expression));
}, 120_000);

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
};

describe.each(CASES.map(([expression, value], index) => ({ expression, value, index })))(
  'the expression $expression',
  ({ expression, value, index }) => {
    it('has its value in the evaluator', () => {
      expect(evaluate(parseExpression(expression), PAYLOAD)).toBe(value);
    });

    it('has the same value on devices', () => {
      const kind = KINDS[values.callJson('yieldOf', PAYLOAD, index)];
      const shown = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
      expect([kind, values.text]).toEqual([kindOf(value), shown]);
    });
  },
);

it('evaluates a parsed expression over many payloads', () => {
  const expression = parseExpression('{{level}} > 1 ? {{level}} : "low"');
  expect([0, 1, 2].map((level) => evaluate(expression, { level }))).toEqual(['low', 'low', 2]);
});
