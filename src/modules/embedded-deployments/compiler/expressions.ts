import type { BinaryOperator, Expression, FunctionName } from '../../flows/graph/expressions/expressions.js';
import type { Path } from '../../flows/graph/expressions/paths.js';
import type { JsonTemplate, TextTemplate } from '../../flows/graph/expressions/templates.js';
import { Code, code } from './code.js';

/** What the code of expressions and templates calls, relative to the folder of the runtime. */
export const EXPRESSIONS_RUNTIME = code`
import { both, either, isAlike, isAtMost, isLess, isSame, isTrue, lengthOf, power, toNumber } from './operators';
import { Template } from './template';
import { FALSE, NULL, TRUE, UNDEFINED, Value } from './value';`;

/** How constants of expressions and templates become code. */
export interface Constants {
  /** A `Value` made of JSON. */
  constant(value: unknown): Code;
  /** A `string`. */
  string(text: string): Code;
  /** A `Path` of these names. */
  names(path: Path): Code;
}

/** A `string`: what the template yields with the payload of `run`. */
export function textCode(template: TextTemplate, to: Constants): Code {
  const [first = '', second] = template;
  if (second === undefined && typeof first === 'string') return to.string(first);
  return code`new Template()${template.map((part) =>
    typeof part === 'string' ? code`.written(${to.string(part)})` : code`.shown(${reference(part, to)})`,
  )}.text`;
}

/** A `Value` that nothing else has: the JSON that the template yields, undefined where it is none. */
export function jsonCode(template: JsonTemplate, to: Constants): Code {
  const [first = '', second] = template;
  if (second === undefined && typeof first === 'string')
    return code`${to.constant(JSON.parse(first))}.clone()`;
  return code`new Template()${template.map((part) => {
    if (typeof part === 'string') return code`.written(${to.string(part)})`;
    const value = reference(part.path, to);
    return part.isQuoted ? code`.quoted(${value})` : code`.json(${value})`;
  })}.value`;
}

/**
 * A `Value`: what the expression yields with the payload of `run`; a list or object is the payload's own. What is
 * known to be a number or boolean is reckoned as such, without values in between.
 */
export function expressionCode(expression: Expression, to: Constants): Code {
  return new Emission(to).value(expression);
}

function reference(path: Path, to: Constants): Code {
  return path.length === 0 ? code`run.payload` : code`${to.names(path)}.get(run.payload)`;
}

type Type = 'boolean' | 'number' | 'any';

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=']);

/** What an expression yields, as far as its form tells. */
function typeOf(expression: Expression): Type {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'number' || typeof expression.value === 'boolean'
        ? (typeof expression.value as Type)
        : 'any';
    case 'unary':
      return expression.operator === '!' ? 'boolean' : 'number';
    case 'call':
      return expression.name === 'length' ? 'any' : 'number';
    case 'binary': {
      const { operator, left, right } = expression;
      if (COMPARISONS.has(operator)) return 'boolean';
      if (operator !== '&&' && operator !== '||') return 'number';
      return typeOf(left) === typeOf(right) ? typeOf(left) : 'any';
    }
    case 'choice':
      return typeOf(expression.then) === typeOf(expression.otherwise) ? typeOf(expression.then) : 'any';
    case 'reference':
    case 'text':
      return 'any';
  }
}

const OPERATORS: ReadonlyMap<BinaryOperator, Code> = new Map([
  ['+', code`+`],
  ['-', code`-`],
  ['*', code`*`],
  ['/', code`/`],
  ['%', code`%`],
  ['<', code`<`],
  ['<=', code`<=`],
  ['>', code`>`],
  ['>=', code`>=`],
  ['==', code`==`],
  ['===', code`==`],
  ['!=', code`!=`],
  ['!==', code`!=`],
]);

/** Each of the three says the same, as the type that it is wanted as. */
class Emission {
  constructor(private readonly to: Constants) {}

  /** A `Value`. */
  value(expression: Expression): Code {
    const type = typeOf(expression);
    switch (expression.kind) {
      case 'literal':
        return this.literal(expression.value);
      case 'reference':
        return reference(expression.path, this.to);
      case 'text':
        return this.text(expression.template);
      case 'call':
        if (expression.name === 'length') return code`lengthOf(${this.value(expression.args[0]!)})`;
        break;
      case 'choice': {
        const { condition, then, otherwise } = expression;
        return code`(${this.truth(condition)} ? ${this.value(then)} : ${this.value(otherwise)})`;
      }
      case 'binary': {
        const { operator, left, right } = expression;
        if (type === 'boolean') break;
        if (operator === '&&') return code`both(${this.value(left)}, ${this.value(right)})`;
        if (operator === '||') return code`either(${this.value(left)}, ${this.value(right)})`;
        break;
      }
      case 'unary':
        break;
    }
    return type === 'boolean'
      ? code`Value.boolean(${this.truth(expression)})`
      : code`Value.number(${this.number(expression)})`;
  }

  /** A `f64`. */
  private number(expression: Expression): Code {
    switch (expression.kind) {
      case 'literal':
        if (typeof expression.value === 'number') return this.decimal(expression.value);
        break;
      case 'unary':
        if (expression.operator === '-') return code`-(${this.number(expression.operand)})`;
        if (expression.operator === '+') return this.number(expression.operand);
        break;
      case 'call':
        if (expression.name !== 'length') return this.call(expression.name, expression.args);
        break;
      case 'choice': {
        const { condition, then, otherwise } = expression;
        return code`(${this.truth(condition)} ? ${this.number(then)} : ${this.number(otherwise)})`;
      }
      case 'binary': {
        const { operator, left, right } = expression;
        if (operator === '^') return code`power(${this.number(left)}, ${this.number(right)})`;
        if (operator === '&&' || operator === '||' || COMPARISONS.has(operator)) break;
        return this.infix(operator, this.number(left), this.number(right));
      }
      case 'reference':
      case 'text':
        break;
    }
    if (typeOf(expression) === 'boolean') return code`(${this.truth(expression)} ? 1.0 : 0.0)`;
    return code`toNumber(${this.value(expression)})`;
  }

  /** A `bool`. */
  private truth(expression: Expression): Code {
    switch (expression.kind) {
      case 'literal':
        return expression.value ? code`true` : code`false`;
      case 'unary':
        if (expression.operator === '!') return code`!(${this.truth(expression.operand)})`;
        break;
      case 'choice': {
        const { condition, then, otherwise } = expression;
        return code`(${this.truth(condition)} ? ${this.truth(then)} : ${this.truth(otherwise)})`;
      }
      case 'binary': {
        const { operator, left, right } = expression;
        if (operator === '&&') return code`(${this.truth(left)} && ${this.truth(right)})`;
        if (operator === '||') return code`(${this.truth(left)} || ${this.truth(right)})`;
        if (COMPARISONS.has(operator)) return this.comparison(operator, left, right);
        break;
      }
      case 'call':
      case 'reference':
      case 'text':
        break;
    }
    return typeOf(expression) === 'number'
      ? code`isTrue(${this.number(expression)})`
      : code`${this.value(expression)}.truthy`;
  }

  private comparison(operator: BinaryOperator, left: Expression, right: Expression): Code {
    const types = [typeOf(left), typeOf(right)];
    const isEquality = operator.endsWith('==') || operator.startsWith('!');
    // A number makes a number of what it is compared with, but null equals none.
    const areNumbers = isEquality
      ? types.every((type) => type === 'number')
      : types.some((type) => type !== 'any');
    if (areNumbers) return this.infix(operator, this.number(left), this.number(right));
    const values = [this.value(left), this.value(right)] as const;
    switch (operator) {
      case '===':
        return code`isSame(${values[0]}, ${values[1]})`;
      case '!==':
        return code`!isSame(${values[0]}, ${values[1]})`;
      case '==':
        return code`isAlike(${values[0]}, ${values[1]})`;
      case '!=':
        return code`!isAlike(${values[0]}, ${values[1]})`;
      case '<':
        return code`isLess(${values[0]}, ${values[1]})`;
      case '<=':
        return code`isAtMost(${values[0]}, ${values[1]})`;
      case '>':
        return code`isLess(${values[1]}, ${values[0]})`;
      default:
        return code`isAtMost(${values[1]}, ${values[0]})`;
    }
  }

  private infix(operator: BinaryOperator, left: Code, right: Code): Code {
    return code`(${left} ${OPERATORS.get(operator)!} ${right})`;
  }

  private call(name: FunctionName, args: readonly Expression[]): Code {
    const numbers = args.map((arg) => this.number(arg));
    if (name === 'pow') return code`power(${Code.list(numbers)})`;
    if (name !== 'min' && name !== 'max') return code`Math.${Code.identifier(name)}(${Code.list(numbers)})`;
    return numbers.reduce((one, other) => code`${Code.identifier(name)}<f64>(${one}, ${other})`);
  }

  private literal(value: null | boolean | number | undefined): Code {
    if (value === undefined) return code`UNDEFINED`;
    if (value === null) return code`NULL`;
    if (typeof value === 'boolean') return value ? code`TRUE` : code`FALSE`;
    return this.to.constant(value);
  }

  private decimal(value: number): Code {
    return Number.isSafeInteger(value) ? code`${value}.0` : code`${this.to.constant(value)}.asNumber`;
  }

  private text(template: TextTemplate): Code {
    const [first = '', second] = template;
    if (second === undefined && typeof first === 'string') return this.to.constant(first);
    return code`Value.text(${textCode(template, this.to)})`;
  }
}
