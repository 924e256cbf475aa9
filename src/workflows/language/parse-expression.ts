import {
  BINARY_OPERATORS,
  CONSTANTS,
  FUNCTIONS,
  type BinaryOperator,
  type Expression,
  type FunctionName,
  type UnaryOperator,
} from './expressions.js';
import { checkLength, parseWith, SyntaxFault } from './syntax-fault.js';
import { parseReference, parseTextTemplate } from './templates.js';

/** Maximum depth of an expression tree. */
const MAX_DEPTH = 200;

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]\w*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** Syntax of one kind of expressions, and what becomes of their parts. */
export interface ExpressionLanguage<T> {
  /** Binary operators without `^`, in order of increasing precedence. */
  readonly binaryOperators: readonly (readonly string[])[];
  readonly unaryOperators: readonly string[];
  /** Functions with their number of arguments, which is a minimum for `min` and `max`. */
  readonly functions: Readonly<Record<string, number>>;
  literal(value: null | boolean | number | undefined): T;
  /** A text in quotes, without them and their escapes. */
  text(text: string): T;
  /** The value of the braces at a position, and their end. */
  reference(text: string, open: number): { readonly value: T; readonly end: number };
  unary(operator: string, operand: T): T;
  binary(operator: string, left: T, right: T): T;
  choice(condition: T, then: T, otherwise: T): T;
  call(name: string, args: readonly T[]): T;
}

/** Expressions of devices, as trees. */
const TREE: ExpressionLanguage<Expression> = {
  binaryOperators: BINARY_OPERATORS,
  unaryOperators: ['!', '-', '+'],
  functions: FUNCTIONS,
  literal: (value) => ({ kind: 'literal', value }),
  text: (text) => ({ kind: 'text', template: parseTextTemplate(text) }),
  reference: (text, open) => {
    const { path, end } = parseReference(text, open);
    return { value: { kind: 'reference', path }, end };
  },
  unary: (operator, operand) => ({ kind: 'unary', operator: operator as UnaryOperator, operand }),
  binary: (operator, left, right) => ({ kind: 'binary', operator: operator as BinaryOperator, left, right }),
  choice: (condition, then, otherwise) => ({ kind: 'choice', condition, then, otherwise }),
  call: (name, args) => ({ kind: 'call', name: name as FunctionName, args }),
};

/**
 * Parses an expression: `{{data.level}} * 2 > max({{globals.limit}}, 10) && {{data.mode}} === 'auto'`. `^` and `**` are
 * powers. Comparisons are those of JavaScript; arithmetic is numeric.
 */
export const parseExpression = (text: string): Expression => parseExpressionWith(TREE, text);

/** Parses an expression of a language. Throws a `SyntaxFault`. */
export function parseExpressionWith<T>(language: ExpressionLanguage<T>, text: string): T {
  checkLength(text);
  const parser = new Parser(language, text);
  const expression = parser.choice();
  parser.end();
  return expression;
}

class Parser<T> {
  private position = 0;
  private depth = 0;

  constructor(
    private readonly language: ExpressionLanguage<T>,
    private readonly text: string,
  ) {}

  end(): void {
    this.skipSpace();
    if (this.position < this.text.length)
      this.fail(`has an unexpected ${JSON.stringify(this.text[this.position])}`);
  }

  choice(): T {
    const condition = this.binary(0);
    if (!this.accept('?')) return condition;
    return this.deeper(() => {
      const then = this.choice();
      this.expect(':');
      return this.language.choice(condition, then, this.choice());
    });
  }

  private binary(level: number): T {
    const operators = this.language.binaryOperators[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    const before = this.depth;
    for (;;) {
      const operator = operators.find((sign) => this.accept(sign));
      if (!operator) break;
      // Each operator increases the depth of its left operand.
      this.enter();
      left = this.language.binary(operator, left, this.binary(level + 1));
    }
    this.depth = before;
    return left;
  }

  private unary(): T {
    const operator = this.language.unaryOperators.find((sign) => this.accept(sign));
    if (!operator) return this.power();
    return this.deeper(() => this.language.unary(operator, this.unary()));
  }

  /** Powers are right-associative and bind more tightly than a preceding sign. */
  private power(): T {
    const left = this.operand();
    if (!this.accept('^') && !this.accept('**')) return left;
    return this.deeper(() => this.language.binary('^', left, this.unary()));
  }

  private operand(): T {
    this.skipSpace();
    const start = this.position;
    const character = this.text[start];
    if (this.text.startsWith('{{', start)) {
      const { value, end } = this.language.reference(this.text, start);
      this.position = end;
      return value;
    }
    if (character === '"' || character === "'") return this.quoted(character);
    const number = this.match(NUMBER);
    if (number !== undefined) {
      const value = Number(number);
      if (!Number.isFinite(value)) this.fail('has a number that is too large', start);
      return this.language.literal(value);
    }
    if (this.accept('(')) {
      const inner = this.deeper(() => this.choice());
      this.expect(')');
      return inner;
    }
    const word = this.match(WORD);
    if (word === undefined)
      this.fail(
        character === undefined
          ? 'ends before an expected value'
          : `has an unexpected ${JSON.stringify(character)}`,
      );
    if (CONSTANTS.has(word)) return this.language.literal(CONSTANTS.get(word));
    if (!Object.hasOwn(this.language.functions, word))
      this.fail(`has ${word}, which is not a function or constant`, start);
    return this.call(word, start);
  }

  private call(name: string, start: number): T {
    this.expect('(');
    const args = this.deeper(() => {
      const list = [this.choice()];
      while (this.accept(',')) list.push(this.choice());
      return list;
    });
    this.expect(')');
    const isOpen = name === 'min' || name === 'max';
    const expected = this.language.functions[name];
    if (isOpen ? args.length > MAX_DEPTH : args.length !== expected)
      this.fail(`must pass ${isOpen ? `at most ${MAX_DEPTH}` : expected} arguments to ${name}`, start);
    return this.language.call(name, args);
  }

  private quoted(quote: string): T {
    const start = this.position++;
    let text = '';
    for (;;) {
      const character = this.text[this.position++];
      if (character === undefined) this.fail('has an unterminated string', start);
      if (character === quote) {
        return parseWith(start + 1, () => this.language.text(text));
      }
      if (character !== '\\') {
        text += character;
        continue;
      }
      const escaped = this.text[this.position++] ?? '';
      text += ESCAPES.get(escaped) ?? escaped;
    }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    this.position += found?.length ?? 0;
    return found;
  }

  private accept(sign: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(sign, this.position) || this.isPartOfAnother(sign)) return false;
    this.position += sign.length;
    return true;
  }

  /** Returns whether the operator is only the beginning of a longer one, such as `*` of `**`. */
  private isPartOfAnother(sign: string): boolean {
    return sign === '*' && this.text[this.position + 1] === '*';
  }

  private expect(sign: string): void {
    if (!this.accept(sign)) this.fail(`is missing a ${sign}`);
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.position] ?? '')) this.position++;
  }

  private enter(): void {
    if (++this.depth > MAX_DEPTH) this.fail(`has more than ${MAX_DEPTH} nested operations`);
  }

  private deeper<T>(parse: () => T): T {
    this.enter();
    const parsed = parse();
    this.depth--;
    return parsed;
  }

  private fail(reason: string, at = this.position): never {
    throw new SyntaxFault(reason, at);
  }
}
