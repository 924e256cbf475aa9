import type { BinaryOperator, Expression, FunctionName } from '../language/expressions.js';
import { parseExpression } from '../language/parse-expression.js';
import { parsePath, type Path } from '../language/paths.js';
import {
  parseJsonTemplate,
  parseTextTemplate,
  type JsonTemplate,
  type TextTemplate,
} from '../language/templates.js';
import { Code, code } from './code.js';
import type { Emitter } from './emitter.js';

/** Assigns numbers to JSON constants. */
interface Constants {
  add(value: unknown): number;
}

/** Import for the code of expressions and templates. */
export const EXPRESSIONS_RUNTIME = code`import * as expressions from './expressions.ts';`;

/** Emits paths, templates and expressions. Texts that cannot be parsed throw a `SyntaxFault`. */
export function expressionEmitter(
  constants: Constants,
): Pick<Emitter, 'path' | 'expression' | 'text' | 'json'> {
  const to = new Emission(constants);
  return {
    path: (text) => to.path(parsePath(text)),
    expression: (text) => to.value(parseExpression(text)),
    text: (text) => to.text(parseTextTemplate(text)),
    json: (text) => to.json(parseJsonTemplate(text)),
  };
}

type Type = 'boolean' | 'number' | 'any';

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=']);

/** Infers the static type of an expression. */
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
      return commonType(left, right);
    }
    case 'choice':
      return commonType(expression.then, expression.otherwise);
    case 'reference':
    case 'text':
      return 'any';
  }
}

function commonType(one: Expression, other: Expression): Type {
  const type = typeOf(one);
  return type === typeOf(other) ? type : 'any';
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

/** Emits code that evaluates with the payload of `run`. */
class Emission {
  constructor(private readonly constants: Constants) {}

  /** A `Path`. */
  path(path: Path): Code {
    return code`expressions.path(${this.constants.add(path)})`;
  }

  /** A `string`. */
  text(template: TextTemplate): Code {
    const written = writtenOnly(template);
    if (written !== undefined) return this.string(written);
    return code`new expressions.Template()${template.map((part) =>
      typeof part === 'string' ? code`.written(${this.string(part)})` : code`.shown(${this.reference(part)})`,
    )}.text`;
  }

  /** Emits an unshared `Value`, undefined if the rendered template is not valid JSON. */
  json(template: JsonTemplate): Code {
    const written = writtenOnly(template);
    if (written !== undefined) return code`${this.constant(JSON.parse(written))}.clone()`;
    return code`new expressions.Template()${template.map((part) => {
      if (typeof part === 'string') return code`.written(${this.string(part)})`;
      const value = this.reference(part.path);
      return part.isQuoted ? code`.quoted(${value})` : code`.json(${value})`;
    })}.value`;
  }

  /**
   * Emits a `Value`; a list or object is shared with the payload. `number` and `truth` emit the same result as a number
   * or boolean, which avoids intermediate values if the type is known.
   */
  value(expression: Expression): Code {
    const type = typeOf(expression);
    switch (expression.kind) {
      case 'literal':
        return this.literal(expression.value);
      case 'reference':
        return this.reference(expression.path);
      case 'text':
        return this.textValue(expression.template);
      case 'call':
        if (expression.name === 'length')
          return code`expressions.lengthOf(${this.value(expression.args[0]!)})`;
        break;
      case 'choice': {
        const { condition, then, otherwise } = expression;
        return code`(${this.truth(condition)} ? ${this.value(then)} : ${this.value(otherwise)})`;
      }
      case 'binary': {
        const { operator, left, right } = expression;
        if (type === 'boolean') break;
        if (operator === '&&') return code`expressions.both(${this.value(left)}, ${this.value(right)})`;
        if (operator === '||') return code`expressions.either(${this.value(left)}, ${this.value(right)})`;
        break;
      }
      case 'unary':
        break;
    }
    return type === 'boolean'
      ? code`expressions.Value.boolean(${this.truth(expression)})`
      : code`expressions.Value.number(${this.number(expression)})`;
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
        if (operator === '^') return code`expressions.power(${this.number(left)}, ${this.number(right)})`;
        if (operator === '&&' || operator === '||' || COMPARISONS.has(operator)) break;
        return this.infix(operator, this.number(left), this.number(right));
      }
      case 'reference':
      case 'text':
        break;
    }
    if (typeOf(expression) === 'boolean') return code`(${this.truth(expression)} ? 1.0 : 0.0)`;
    return code`expressions.toNumber(${this.value(expression)})`;
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
      ? code`expressions.isTrue(${this.number(expression)})`
      : code`${this.value(expression)}.truthy`;
  }

  private comparison(operator: BinaryOperator, left: Expression, right: Expression): Code {
    const types = [typeOf(left), typeOf(right)];
    const isEquality = operator.endsWith('==') || operator.startsWith('!');
    // A number converts the other operand to a number, but `null` equals no number.
    const areNumbers = isEquality
      ? types.every((type) => type === 'number')
      : types.some((type) => type !== 'any');
    if (areNumbers) return this.infix(operator, this.number(left), this.number(right));
    const values = [this.value(left), this.value(right)] as const;
    switch (operator) {
      case '===':
        return code`expressions.isSame(${values[0]}, ${values[1]})`;
      case '!==':
        return code`!expressions.isSame(${values[0]}, ${values[1]})`;
      case '==':
        return code`expressions.isAlike(${values[0]}, ${values[1]})`;
      case '!=':
        return code`!expressions.isAlike(${values[0]}, ${values[1]})`;
      case '<':
        return code`expressions.isLess(${values[0]}, ${values[1]})`;
      case '<=':
        return code`expressions.isAtMost(${values[0]}, ${values[1]})`;
      case '>':
        return code`expressions.isLess(${values[1]}, ${values[0]})`;
      default:
        return code`expressions.isAtMost(${values[1]}, ${values[0]})`;
    }
  }

  private infix(operator: BinaryOperator, left: Code, right: Code): Code {
    return code`(${left} ${OPERATORS.get(operator)!} ${right})`;
  }

  private call(name: FunctionName, args: readonly Expression[]): Code {
    const numbers = args.map((arg) => this.number(arg));
    if (name === 'pow') return code`expressions.power(${Code.list(numbers)})`;
    if (name !== 'min' && name !== 'max') return code`Math.${Code.identifier(name)}(${Code.list(numbers)})`;
    return numbers.reduce((one, other) => code`${Code.identifier(name)}<f64>(${one}, ${other})`);
  }

  private literal(value: null | boolean | number | undefined): Code {
    if (value === undefined) return code`expressions.UNDEFINED`;
    if (value === null) return code`expressions.NULL`;
    if (typeof value === 'boolean') return value ? code`expressions.TRUE` : code`expressions.FALSE`;
    return this.constant(value);
  }

  private decimal(value: number): Code {
    return Number.isSafeInteger(value) ? code`${value}.0` : code`${this.constant(value)}.asNumber`;
  }

  private textValue(template: TextTemplate): Code {
    const written = writtenOnly(template);
    return written === undefined
      ? code`expressions.Value.text(${this.text(template)})`
      : this.constant(written);
  }

  private reference(path: Path): Code {
    return path.length === 0 ? code`run.payload` : code`${this.path(path)}.get(run.payload)`;
  }

  private constant(value: unknown): Code {
    return code`constant(${this.constants.add(value)})`;
  }

  private string(text: string): Code {
    return code`text(${this.constants.add(text)})`;
  }
}

/** Returns the text of a template without references, or `undefined` if it has any. */
function writtenOnly([first = '', ...more]: readonly unknown[]): string | undefined {
  return typeof first === 'string' && more.length === 0 ? first : undefined;
}
