import type { BinaryOperator, Expression } from './expressions.js';
import type { Path } from './paths.js';

/**
 * Returns the value of a parsed expression over a payload, by the operators of JavaScript; arithmetic is numeric. Lists
 * and objects are those of the payload, not copies. Devices run the same expressions compiled, with the same results.
 */
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
      if (expression.operator === '||') return left || of(expression.right);
      if (expression.operator === '&&') return left && of(expression.right);
      return OPERATORS[expression.operator](left, of(expression.right));
    }
  }
}

/** Texts are compared as well; the type only satisfies the operators. */
type Compared = number;
type Operator = (left: unknown, right: unknown) => boolean | number;

const compared =
  (compare: (left: Compared, right: Compared) => boolean): Operator =>
  (left, right) =>
    compare(primitive(left) as Compared, primitive(right) as Compared);

const computed =
  (compute: (left: number, right: number) => number): Operator =>
  (left, right) =>
    compute(numberOf(left), numberOf(right));

const OPERATORS: Readonly<Record<Exclude<BinaryOperator, '&&' | '||'>, Operator>> = {
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '==': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': compared((left, right) => left < right),
  '<=': compared((left, right) => left <= right),
  '>': compared((left, right) => left > right),
  '>=': compared((left, right) => left >= right),
  '+': computed((left, right) => left + right),
  '-': computed((left, right) => left - right),
  '*': computed((left, right) => left * right),
  '/': computed((left, right) => left / right),
  '%': computed((left, right) => left % right),
  '^': computed((left, right) => left ** right),
};

/** Converts a list or object as operators do, without calling its own properties, such as `toString`. */
function primitive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printed).join();
  return isContainer(value) ? '[object Object]' : value;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

const numberOf = (value: unknown): number => Number(primitive(value));

/** Returns the result of `==`. */
function isEqual(left: unknown, right: unknown): boolean {
  if (isContainer(left) && isContainer(right)) return left === right;
  const [one, other] = [primitive(left), primitive(right)];
  if (isMissing(one) || isMissing(other)) return isMissing(one) && isMissing(other);
  return typeof one === typeof other ? one === other : Number(one) === Number(other);
}

/** Returns a value as templates show it; a missing one is empty. */
export function printed(value: unknown): string {
  return isMissing(value) ? '' : String(primitive(value));
}

/**
 * Returns the value at a path, or `undefined`: own properties of objects, items of lists, code units of texts, and the
 * `length` of both.
 */
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
