import {
  BINARY_OPERATORS,
  CONSTANTS,
  FUNCTIONS,
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

/**
 * Parses an expression: `{{data.level}} * 2 > max({{globals.limit}}, 10) && {{data.mode}} === 'auto'`. `^` and `**` are
 * powers. Comparisons are those of JavaScript; arithmetic is numeric.
 */
export function parseExpression(text: string): Expression {
  checkLength(text);
  const parser = new Parser(text);
  const expression = parser.choice();
  parser.end();
  return expression;
}

class Parser {
  private position = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  end(): void {
    this.skipSpace();
    if (this.position < this.text.length)
      this.fail(`has an unexpected ${JSON.stringify(this.text[this.position])}`);
  }

  choice(): Expression {
    const condition = this.binary(0);
    if (!this.accept('?')) return condition;
    return this.deeper(() => {
      const then = this.choice();
      this.expect(':');
      return { kind: 'choice', condition, then, otherwise: this.choice() };
    });
  }

  private binary(level: number): Expression {
    const operators = BINARY_OPERATORS[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    const before = this.depth;
    for (;;) {
      const operator = operators.find((sign) => this.accept(sign));
      if (!operator) break;
      // Each operator increases the depth of its left operand.
      this.enter();
      left = { kind: 'binary', operator, left, right: this.binary(level + 1) };
    }
    this.depth = before;
    return left;
  }

  private unary(): Expression {
    const operator = (['!', '-', '+'] as const).find((sign) => this.accept(sign));
    if (!operator) return this.power();
    return this.deeper(() => ({
      kind: 'unary',
      operator: operator satisfies UnaryOperator,
      operand: this.unary(),
    }));
  }

  /** Powers are right-associative and bind more tightly than a preceding sign. */
  private power(): Expression {
    const left = this.operand();
    if (!this.accept('^') && !this.accept('**')) return left;
    return this.deeper(() => ({ kind: 'binary', operator: '^', left, right: this.unary() }));
  }

  private operand(): Expression {
    this.skipSpace();
    const start = this.position;
    const character = this.text[start];
    if (this.text.startsWith('{{', start)) {
      const { path, end } = parseReference(this.text, start);
      this.position = end;
      return { kind: 'reference', path };
    }
    if (character === '"' || character === "'") return this.quoted(character);
    const number = this.match(NUMBER);
    if (number !== undefined) {
      const value = Number(number);
      if (!Number.isFinite(value)) this.fail('has a number that is too large', start);
      return { kind: 'literal', value };
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
    if (CONSTANTS.has(word)) return { kind: 'literal', value: CONSTANTS.get(word) };
    if (!Object.hasOwn(FUNCTIONS, word)) this.fail(`has ${word}, which is not a function or constant`, start);
    return this.call(word as FunctionName, start);
  }

  private call(name: FunctionName, start: number): Expression {
    this.expect('(');
    const args = this.deeper(() => {
      const list = [this.choice()];
      while (this.accept(',')) list.push(this.choice());
      return list;
    });
    this.expect(')');
    const isOpen = name === 'min' || name === 'max';
    if (isOpen ? args.length > MAX_DEPTH : args.length !== FUNCTIONS[name])
      this.fail(`must pass ${isOpen ? `at most ${MAX_DEPTH}` : FUNCTIONS[name]} arguments to ${name}`, start);
    return { kind: 'call', name, args };
  }

  private quoted(quote: string): Expression {
    const start = this.position++;
    let text = '';
    for (;;) {
      const character = this.text[this.position++];
      if (character === undefined) this.fail('has an unterminated string', start);
      if (character === quote) {
        return { kind: 'text', template: parseWith(start + 1, () => parseTextTemplate(text)) };
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
