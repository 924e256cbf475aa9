import fc from 'fast-check';
import {
  BINARY_OPERATORS,
  FUNCTIONS,
  type Expression,
  type FunctionName,
} from '../../../src/workflows/language/expressions.js';
import type { Path } from '../../../src/workflows/language/paths.js';
import type { TextTemplate } from '../../../src/workflows/language/templates.js';

/** Functions whose results are identical on every processor. */
const EXACT = ['abs', 'ceil', 'floor', 'length', 'max', 'min', 'round', 'sqrt', 'trunc'] as const;

const name = fc.constantFrom('a', 'b', 'c', 'length', '0', '1', '__proto__', 'a name');
/** Paths to members that payloads have or lack. */
export const paths: fc.Arbitrary<Path> = fc.array(name, { maxLength: 3 });
const number = fc.oneof(
  fc.nat(20),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
);

/** Parts of a template as the parser produces them: no adjacent and no empty texts. */
export const templates: fc.Arbitrary<TextTemplate> = fc
  .array(
    fc.oneof(paths, fc.string({ unit: fc.constantFrom('x', ' ', '"', "'", '\\', '\n', '7'), minLength: 1 })),
    { maxLength: 4 },
  )
  .map((parts) => parts.filter((part, i) => typeof part !== 'string' || typeof parts[i - 1] !== 'string'));

/** Expressions with the same result on every platform. */
export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ any: Expression; leaf: Expression }>(
  (tie) => ({
    leaf: fc.oneof(
      fc.record({
        kind: fc.constant('literal' as const),
        value: fc.oneof(number, fc.boolean(), fc.constantFrom(null, undefined)),
      }),
      fc.record({ kind: fc.constant('reference' as const), path: paths }),
      fc.record({ kind: fc.constant('text' as const), template: templates }),
    ),
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      fc.record({
        kind: fc.constant('unary' as const),
        operator: fc.constantFrom('!' as const, '-' as const, '+' as const),
        operand: tie('any'),
      }),
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom(...BINARY_OPERATORS.flat()),
        left: tie('any'),
        right: tie('any'),
      }),
      fc.record({
        kind: fc.constant('choice' as const),
        condition: tie('any'),
        then: tie('any'),
        otherwise: tie('any'),
      }),
      fc.constantFrom(...EXACT).chain((called) =>
        fc.record({
          kind: fc.constant('call' as const),
          name: fc.constant<FunctionName>(called),
          args: fc.array(tie('any'), {
            minLength: 1,
            maxLength: called === 'min' || called === 'max' ? 3 : FUNCTIONS[called],
          }),
        }),
      ),
    ),
  }),
).any;

/** Writes an expression as source with all its parentheses. */
export function written(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return String(expression.value);
    case 'reference':
      return reference(expression.path);
    case 'text':
      return `"${textOf(expression.template).replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
    case 'unary':
      return `(${expression.operator}${written(expression.operand)})`;
    case 'binary':
      return `(${written(expression.left)} ${expression.operator} ${written(expression.right)})`;
    case 'choice':
      return `(${written(expression.condition)} ? ${written(expression.then)} : ${written(expression.otherwise)})`;
    case 'call':
      return `${expression.name}(${expression.args.map(written).join(', ')})`;
  }
}

/** Writes a path with brackets around all names. */
export const pathOf = (path: Path): string => path.map((part) => `[${part}]`).join('.');

const reference = (path: Path): string => `{{${path.length === 0 ? '.' : pathOf(path)}}}`;

/** Writes a template as source. */
export function textOf(template: TextTemplate): string {
  return template
    .map((part, i) => {
      if (typeof part !== 'string') return reference(part);
      return part.endsWith('\\') && i < template.length - 1 ? `${part}\\` : part;
    })
    .join('');
}
