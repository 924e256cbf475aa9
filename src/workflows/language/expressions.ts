import type { Path } from './paths.js';
import type { TextTemplate } from './templates.js';

/** Syntax tree of an expression. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | undefined }
  | { readonly kind: 'reference'; readonly path: Path }
  /** A text in quotes; references in it are replaced. */
  | { readonly kind: 'text'; readonly template: TextTemplate }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] };

export type UnaryOperator = '!' | '-' | '+';

/** Binary operators, in order of increasing precedence. All except `^` are left-associative. */
export const BINARY_OPERATORS = [
  ['||'],
  ['&&'],
  ['===', '!==', '==', '!='],
  ['<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
] as const;

export type BinaryOperator = (typeof BINARY_OPERATORS)[number][number] | '^';

/** Constants by name. */
export const CONSTANTS: ReadonlyMap<string, null | boolean | number | undefined> = new Map<
  string,
  null | boolean | number | undefined
>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['E', Math.E],
  ['PI', Math.PI],
]);

/** Functions with their number of arguments, which is a minimum for `min` and `max`. */
export const FUNCTIONS = {
  abs: 1,
  acos: 1,
  acosh: 1,
  asin: 1,
  asinh: 1,
  atan: 1,
  atan2: 2,
  atanh: 1,
  ceil: 1,
  cos: 1,
  cosh: 1,
  exp: 1,
  floor: 1,
  length: 1,
  log: 1,
  log10: 1,
  max: 1,
  min: 1,
  pow: 2,
  round: 1,
  sin: 1,
  sinh: 1,
  sqrt: 1,
  tan: 1,
  tanh: 1,
  trunc: 1,
} as const;

export type FunctionName = keyof typeof FUNCTIONS;
