import { PatternError, type Positions, type Search } from './search.js';

/** Direction of a search: 1 returns the ends of matches that begin at `from`, -1 the beginnings of those that end there. */
type Direction = -1 | 1;

/** Part of a pattern: returns the positions that a match of it leads to. */
export type Matcher = (search: Search, from: Positions, direction: Direction) => Positions;

/** Maximum number of groups inside each other. */
const MAX_DEPTH = 200;

const QUANTIFIER = /(?:[*+?]|\{(?<min>\d+)(?<comma>,)?(?<max>\d+)?\})\??/y;
const GROUP = /\((?:\?(?<kind>:|=|!|<=|<!|<(?![=!])[^>]*>))?/y;
const CLASS = /\[(?:\\[^]|[^\\\]])*\]/y;
const ESCAPE = /\\(?:c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|[^])/y;
const WORD = /\w/;

/** Parses a pattern that is known to be valid. Throws a `PatternError` for references to groups and octal numbers. */
export function parsePattern(source: string): Matcher {
  return new Parser(source).choice();
}

class Parser {
  private position = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  choice(): Matcher {
    const options = [this.sequence()];
    while (this.source[this.position] === '|') {
      this.position++;
      options.push(this.sequence());
    }
    return options.length === 1 ? options[0]! : anyOf(options);
  }

  private sequence(): Matcher {
    const parts: Matcher[] = [];
    while (this.position < this.source.length && !'|)'.includes(this.source[this.position]!)) {
      const atom = this.atom();
      const quantifier = this.read(QUANTIFIER);
      parts.push(quantifier ? repeated(atom, ...boundsOf(quantifier)) : atom);
    }
    return allOf(parts);
  }

  private atom(): Matcher {
    const character = this.source[this.position]!;
    if (character === '(') return this.group();
    if (character === '[') return characterOf(this.read(CLASS)![0]);
    if (character === '\\') return this.escape();
    this.position++;
    if (character === '^') return assertion((_text, at) => at === 0);
    if (character === '$') return assertion((text, at) => at === text.length);
    if (character === '.') return characterOf('.');
    return literal(character);
  }

  private group(): Matcher {
    const kind = this.read(GROUP)!.groups!.kind;
    if (kind === undefined && this.source[this.position] === '?')
      throw new PatternError('has a group of an unknown kind');
    if (++this.depth > MAX_DEPTH) throw new PatternError(`has more than ${MAX_DEPTH} nested groups`);
    const inner = this.choice();
    this.depth--;
    this.position++;
    if (kind === '=' || kind === '!') return look(inner, -1, kind === '!');
    if (kind === '<=' || kind === '<!') return look(inner, 1, kind === '<!');
    return inner;
  }

  private escape(): Matcher {
    const [escape] = this.read(ESCAPE)!;
    if (escape === '\\b') return assertion(isBoundary);
    if (escape === '\\B') return assertion((text, at) => !isBoundary(text, at));
    const isOctal = escape === '\\0' && /\d/.test(this.source[this.position] ?? '');
    if (isOctal || /^\\[1-9ck]$/.test(escape))
      throw new PatternError(`has ${escape}, but references and octal numbers are not supported`);
    return characterOf(escape);
  }

  private read(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    const found = expression.exec(this.source);
    this.position += found?.[0].length ?? 0;
    return found;
  }
}

function boundsOf({ 0: text, groups }: RegExpExecArray): [min: number, max: number] {
  if (text.startsWith('*')) return [0, Infinity];
  if (text.startsWith('+')) return [1, Infinity];
  if (text.startsWith('?')) return [0, 1];
  const { min, comma, max } = groups!;
  return [Number(min), max === undefined ? (comma ? Infinity : Number(min)) : Number(max)];
}

function isBoundary(text: string, at: number): boolean {
  return WORD.test(text[at - 1] ?? '') !== WORD.test(text[at] ?? '');
}

/** One character that the code units `accepts` are. */
const oneOf =
  (accepts: (code: number) => boolean): Matcher =>
  (search, from, direction) => {
    search.spend(from.length + 1);
    const { text } = search;
    const skipped = direction === 1 ? 0 : -1;
    const reached: number[] = [];
    for (const at of from) {
      const index = at + skipped;
      if (index >= 0 && index < text.length && accepts(text.charCodeAt(index))) reached.push(at + direction);
    }
    return reached;
  };

function literal(character: string): Matcher {
  const expected = character.charCodeAt(0);
  return oneOf((code) => code === expected);
}

/** A class or an escape. The engine of JavaScript decides about a single character, which cannot take long. */
function characterOf(fragment: string): Matcher {
  const expression = new RegExp(`^${fragment}$`);
  const accepts = (code: number): boolean => expression.test(String.fromCharCode(code));
  const ascii = Array.from({ length: 128 }, (_, code) => accepts(code));
  return oneOf((code) => ascii[code] ?? accepts(code));
}

const assertion =
  (holds: (text: string, at: number) => boolean): Matcher =>
  (search, from) => {
    search.spend(from.length + 1);
    return from.filter((at) => holds(search.text, at));
  };

/**
 * A group that looks ahead (`back` is -1) or behind (1): finds all positions of the text from which it matches, by a
 * search from everywhere in the other direction.
 */
function look(inner: Matcher, back: Direction, isNegative: boolean): Matcher {
  const matcher: Matcher = (search, from) => {
    const found = search.once(matcher, () => inner(search, search.everywhere(), back));
    search.spend(from.length + 1);
    return from.filter((at) => found.has(at) !== isNegative);
  };
  return matcher;
}

const allOf =
  (parts: readonly Matcher[]): Matcher =>
  (search, from, direction) => {
    const ordered = direction === 1 ? parts : parts.toReversed();
    let reached = from;
    for (const part of ordered) {
      if (reached.length === 0) break;
      reached = part(search, reached, direction);
    }
    return reached;
  };

const anyOf =
  (options: readonly Matcher[]): Matcher =>
  (search, from, direction) => [...new Set(options.flatMap((option) => option(search, from, direction)))];

/** Continues from newly reached positions only: an earlier visit of a position has more repetitions left. */
const repeated =
  (part: Matcher, min: number, max: number): Matcher =>
  (search, from, direction) => {
    let latest = from;
    for (let count = 0; count < min && latest.length > 0; count++) {
      search.spend(1);
      latest = part(search, latest, direction);
    }
    const reached = new Set(latest);
    for (let count = min; count < max && latest.length > 0; count++) {
      search.spend(1);
      latest = part(search, latest, direction).filter((at) => !reached.has(at) && reached.add(at));
    }
    return [...reached];
  };
