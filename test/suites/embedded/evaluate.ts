import { runInThisContext } from 'node:vm';
import type { Expression } from '../../../src/workflows/language/expressions.js';
import type { Path } from '../../../src/workflows/language/paths.js';

/** The `==` operator, which this codebase never uses itself. */
const isAlike = runInThisContext('(left, right) => left == right') as (
  left: unknown,
  right: unknown,
) => boolean;

type Comparable = number;

/** Evaluates an expression with the operators of JavaScript as a reference. */
export function evaluate(expression: Expression, payload: unknown): unknown {
  const of = (part: Expression): unknown => evaluate(part, payload);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'reference':
      return valueAt(expression.path, payload);
    case 'text':
      return expression.template
        .map((part) => (typeof part === 'string' ? part : printed(valueAt(part, payload))))
        .join('');
    case 'unary':
      if (expression.operator === '!') return !of(expression.operand);
      return expression.operator === '-'
        ? -numberOf(of(expression.operand))
        : numberOf(of(expression.operand));
    case 'choice':
      return of(expression.condition) ? of(expression.then) : of(expression.otherwise);
    case 'call': {
      const args = expression.args.map(of);
      return expression.name === 'length'
        ? lengthOf(args[0])
        : Math[expression.name](...(args.map(numberOf) as [number, number]));
    }
    case 'binary': {
      const left = of(expression.left);
      const right = of(expression.right);
      const [one, other] = [primitive(left), primitive(right)] as [Comparable, Comparable];
      switch (expression.operator) {
        case '||':
          return left || right;
        case '&&':
          return left && right;
        case '===':
          return left === right;
        case '!==':
          return left !== right;
        case '==':
          return isEqual(left, right);
        case '!=':
          return !isEqual(left, right);
        case '<':
          return one < other;
        case '<=':
          return one <= other;
        case '>':
          return one > other;
        case '>=':
          return one >= other;
        case '+':
          return Number(one) + Number(other);
        case '-':
          return Number(one) - Number(other);
        case '*':
          return Number(one) * Number(other);
        case '/':
          return Number(one) / Number(other);
        case '%':
          return Number(one) % Number(other);
        case '^':
          return Number(one) ** Number(other);
      }
    }
  }
}

/** Converts a list or object as operators do, even if it has members such as `toString`. */
function primitive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printed).join();
  return isContainer(value) ? '[object Object]' : value;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const numberOf = (value: unknown): number => Number(primitive(value));

function isEqual(left: unknown, right: unknown): boolean {
  if (isContainer(left) && isContainer(right)) return left === right;
  return isAlike(primitive(left), primitive(right));
}

/** Returns a value as templates print it. */
export function printed(value: unknown): string {
  return value === undefined || value === null ? '' : String(primitive(value));
}

/** Returns the value at a path: only own properties, array items, UTF-16 units of texts, and `length`. */
export function valueAt(path: Path, payload: unknown): unknown {
  return path.reduce((value: unknown, name) => {
    if (typeof value !== 'string' && !Array.isArray(value))
      return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
    if (name === 'length') return value.length;
    return /^(0|[1-9]\d{0,8})$/.test(name) ? (value[Number(name)] as unknown) : undefined;
  }, payload);
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}
