import { spend } from './handlebars/budget.js';
import type { BinaryOperator, Expression, FunctionName } from './expressions.js';
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
      return UNARY[expression.operator](of(expression.operand));
    case 'choice':
      return of(expression.condition) ? of(expression.then) : of(expression.otherwise);
    case 'call':
      return called(expression.name, expression.args.map(of));
    case 'binary': {
      const left = of(expression.left);
      if (expression.operator === '||') return left || of(expression.right);
      if (expression.operator === '&&') return left && of(expression.right);
      return OPERATORS[expression.operator](left, of(expression.right));
    }
  }
}

/** Unary operators; `typeof` is one of server workflows. */
export const UNARY = {
  '!': (operand: unknown) => !operand,
  '-': (operand: unknown) => -numberOf(operand),
  '+': (operand: unknown) => numberOf(operand),
  typeof: (operand: unknown) => typeof operand,
} as const;

/** Returns the result of a function; `includes` is one of server workflows. */
export function called(name: FunctionName | 'includes', args: readonly unknown[]): unknown {
  if (name === 'length') return lengthOf(args[0]);
  if (name === 'includes') return includes(args[0], args[1]);
  return Math[name](...(args.map(numberOf) as [number, number]));
}

type Operator = (left: unknown, right: unknown) => boolean | number;

/** Binary operators with two values; shifts are operators of server workflows. */
export const OPERATORS: Readonly<Record<Exclude<BinaryOperator, '&&' | '||'> | '<<' | '>>', Operator>> = {
  '===': isIdentical,
  '!==': (left, right) => !isIdentical(left, right),
  '==': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': (left, right) => comparable(left) < comparable(right),
  '<=': (left, right) => comparable(left) <= comparable(right),
  '>': (left, right) => comparable(left) > comparable(right),
  '>=': (left, right) => comparable(left) >= comparable(right),
  '+': (left, right) => numberOf(left) + numberOf(right),
  '-': (left, right) => numberOf(left) - numberOf(right),
  '*': (left, right) => numberOf(left) * numberOf(right),
  '/': (left, right) => numberOf(left) / numberOf(right),
  '%': (left, right) => numberOf(left) % numberOf(right),
  '^': (left, right) => numberOf(left) ** numberOf(right),
  '<<': (left, right) => numberOf(left) << numberOf(right),
  '>>': (left, right) => numberOf(left) >> numberOf(right),
};

/**
 * Converts a list or object as operators do, without calling its own properties, such as `toString`. A date becomes its
 * milliseconds.
 */
function primitive(value: unknown): unknown {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return printedList(value);
  if (value instanceof Date) return value.getTime();
  return isContainer(value) ? '[object Object]' : value;
}

function printedList(list: readonly unknown[]): string {
  spend(list.length);
  return list.map(printed).join();
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Returns a value as a number, as operators do. A date is its milliseconds. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : Number(primitive(value));

/** Returns a value that operators compare. Texts are compared as well; the type only satisfies the operators. */
const comparable = (value: unknown): number => primitive(value) as number;

/** Returns the result of `===`. Dates are equal if they are the same time. */
export function isIdentical(left: unknown, right: unknown): boolean {
  return left === right || (left instanceof Date && right instanceof Date && Number(left) === Number(right));
}

/** Returns the result of `==`. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (isContainer(left) && isContainer(right)) return left === right;
  const [one, other] = [primitive(left), primitive(right)];
  if (isMissing(one) || isMissing(other)) return isMissing(one) && isMissing(other);
  return typeof one === typeof other ? one === other : Number(one) === Number(other);
}

/** Returns whether a list contains a value, or a text the text of a value. */
export function includes(collection: unknown, value: unknown): boolean {
  if (typeof collection === 'string') return !isMissing(value) && collection.includes(printed(value));
  if (!Array.isArray(collection)) return false;
  spend(collection.length);
  return collection.some((item) => isIdentical(item, value));
}

/** Returns whether a value is false for `if`: falsy, or a list without items. */
export const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);

/** Returns a value as templates show it; a missing one is empty. A date is shown as by `toString` in UTC. */
export function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isMissing(value)) return '';
  return value instanceof Date ? printedDate(value) : String(primitive(value));
}

function printedDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return String(date);
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${year} ${time} GMT+0000 (Coordinated Universal Time)`;
}

/**
 * Returns the value at a path, or `undefined`: own properties of objects, items of lists, code units of texts, and the
 * `length` of both.
 */
export function valueAt(path: Path, payload: unknown): unknown {
  let value = payload;
  for (let i = 0; i < path.length; i++) {
    const isReadable = typeof value === 'object' ? value !== null : typeof value === 'string';
    if (!isReadable) return undefined;
    value = memberOf(value as object, path[i]!);
  }
  return value;
}

/**
 * Returns a property of a value of a payload, or `undefined`. Does not ask whether the property is the value's own, which
 * takes longer than reading it: what values inherit are functions, which payloads do not contain, and the prototype.
 */
export function memberOf(value: object, name: string): unknown {
  if (name === '__proto__' && !Object.hasOwn(value, name)) return undefined;
  const member = (value as Record<string, unknown>)[name];
  return typeof member === 'function' ? undefined : member;
}

/** Returns the number of items, of code units or of members, or `undefined` for other values. */
export function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isContainer(value) ? Object.keys(value).length : undefined;
}
