import { called, OPERATORS, UNARY } from './evaluate.js';
import { BINARY_OPERATORS, FUNCTIONS, type FunctionName } from './expressions.js';
import type { Dialect } from './handlebars/dialect.js';
import { mustacheEnd } from './handlebars/mustache-end.js';
import { prepareMustache } from './handlebars/program.js';
import type { Value } from './handlebars/scope.js';
import { prepareTemplate } from './handlebars/template.js';
import { parseExpressionWith, type ExpressionLanguage } from './parse-expression.js';
import { parseWith, SyntaxFault } from './syntax-fault.js';

const SERVER_OPERATORS = BINARY_OPERATORS.flatMap((level) =>
  (level as readonly string[]).includes('<') ? [level, ['<<', '>>']] : [level],
);

/**
 * Prepares an expression of a server workflow. References and helpers in braces are values, not text: `{{lower
 * data.mode}} === 'auto'`. A text in quotes is a template whose references are not escaped. Throws a `SyntaxFault`.
 */
export function prepareExpression(text: string, dialect: Dialect): Value {
  return parseExpressionWith(languageOf(dialect), text);
}

const languageOf = (dialect: Dialect): ExpressionLanguage<Value> => ({
  binaryOperators: SERVER_OPERATORS,
  unaryOperators: ['!', '-', '+', 'typeof'],
  functions: { ...FUNCTIONS, includes: 2 },
  literal: (value) => () => value,
  text: (text) => prepareTemplate(text, dialect, false).render,
  reference: (text, open) => reference(text, open, dialect),
  unary: (operator, operand) => {
    const compute = UNARY[operator as keyof typeof UNARY];
    return (scope) => compute(operand(scope));
  },
  binary: (operator, left, right) => {
    if (operator === '&&') return (scope) => left(scope) && right(scope);
    if (operator === '||') return (scope) => left(scope) || right(scope);
    const compute = OPERATORS[operator as keyof typeof OPERATORS];
    return (scope) => compute(left(scope), right(scope));
  },
  choice: (condition, then, otherwise) => (scope) => (condition(scope) ? then(scope) : otherwise(scope)),
  call: (name, args) => (scope) =>
    called(
      name as FunctionName | 'includes',
      args.map((arg) => arg(scope)),
    ),
});

const BLOCK = /^\{\{~?[#^/>!*]/;

function reference(text: string, open: number, dialect: Dialect): { value: Value; end: number } {
  const end = mustacheEnd(text, open);
  if (end === undefined) throw new SyntaxFault('has a reference that is not closed with }}', open);
  const mustache = text.slice(open, end);
  if (BLOCK.test(mustache)) throw new SyntaxFault('can contain references and helpers, but no blocks', open);
  const value = parseWith(
    open,
    () => prepareTemplate(mustache, dialect).reference ?? prepareMustache(mustache, dialect),
  );
  return { value, end };
}
