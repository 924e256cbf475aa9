import { KINDS, Values } from '../../../test/suites/embedded/values.js';
import { evaluate } from './evaluate.js';
import { parseExpression } from './parse-expression.js';

const PAYLOAD = {
  data: { level: 20, text: 'pump', zero: 0, empty: '', nothing: null, no: false, digits: ' 7 ' },
  list: [1, 'b', null, [2, 3]],
  object: { toString: 'own', valueOf: 1 },
};

/** Expressions and their values over the payload, in the evaluator and in compiled modules. */
const CASES: readonly (readonly [expression: string, value: unknown])[] = [
  ['{{data.level}} * 2 > max({{data.zero}}, 10) && {{data.text}} === "pump"', true],
  ['1 + 2 * 3 ^ 2', 19],
  ['-2 ^ 2', -4],
  ['2 ^ 3 ^ 2', 512],
  ['7 % 4 - 10 / 4', 0.5],
  ['{{data.digits}} + 1', 8],
  ['{{data.text}} + 1', NaN],
  ['{{data.missing}} + 1', NaN],
  ['{{data.nothing}} + 1', 1],
  ['{{list}} + 1', NaN],
  ['1 / {{data.zero}}', Infinity],
  ['{{data.missing}}', undefined],
  ['{{data.nothing}}', null],
  ['{{data.missing}} == null', true],
  ['{{data.missing}} === null', false],
  ['{{data.zero}} == null', false],
  ['{{data.zero}} == {{data.empty}}', true],
  ['{{data.zero}} == {{data.no}}', true],
  ['{{data.zero}} === {{data.no}}', false],
  ['{{data.digits}} == 7', true],
  ['{{data.digits}} != 7', false],
  ['{{list}} == {{list}}', true],
  ['{{list}} == "1,b,,2,3"', true],
  ['{{object}} == "[object Object]"', true],
  ['"a" < "b"', true],
  ['"10" < "9"', true],
  ['"10" < 9', false],
  ['{{data.missing}} >= 0', false],
  ['{{data.nothing}} >= 0', true],
  ['{{data.zero}} || {{data.text}}', 'pump'],
  ['{{data.level}} || {{data.text}}', 20],
  ['{{data.empty}} && {{data.text}}', ''],
  ['{{data.text}} && {{list}}', PAYLOAD.list],
  ['{{data.no}} ? 1 : {{data.level}} ? 2 : 3', 2],
  ['!{{data.empty}}', true],
  ['+{{data.digits}}', 7],
  ['"{{data.text}} {{list}} {{data.missing}}{{data.nothing}}!"', 'pump 1,b,,2,3 !'],
  ['{{list.[3].[1]}}', 3],
  ['{{list.length}}', 4],
  ['{{data.text.[1]}}', 'u'],
  ['{{data.constructor}}', undefined],
  ['{{list.map}}', undefined],
  ['length({{object}})', 2],
  ['length({{data.text}})', 4],
  ['length({{data.level}})', undefined],
  ['round(2.5) + trunc(-2.5) + min(3, 2, {{data.level}})', 3],
];

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
