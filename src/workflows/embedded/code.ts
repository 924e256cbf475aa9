/**
 * AssemblyScript source. It can only be created by the tag `code` from literals in this program, other code and
 * integers. Texts of callers cannot become code: they reach a module only as constants, numbered bytes in its data.
 */
export class Code {
  readonly #source: string;

  private constructor(source: string) {
    this.#source = source;
  }

  get source(): string {
    return this.#source;
  }

  /** Template tag: `code\`math(run, ${to.path(path)}, ${2})\``. Arrays are joined with line breaks. */
  static readonly tag = (strings: TemplateStringsArray, ...parts: readonly Part[]): Code =>
    new Code(strings.map((written, i) => (i === 0 ? written : sourceOf(parts[i - 1]!) + written)).join(''));

  /** Joins parts with commas, as in argument lists. */
  static list(parts: readonly Part[]): Code {
    return new Code(parts.map(sourceOf).join(', '));
  }

  /** Converts a text to code. Only for function names: at most 64 letters, digits and underscores. */
  static identifier(name: string): Code {
    if (!/^[A-Za-z0-9_]{1,64}$/.test(name)) throw new TypeError('not an identifier');
    return new Code(name);
  }
}

export type Part = Code | number | readonly Code[];

export const code = Code.tag;

function sourceOf(part: Part): string {
  if (part instanceof Code) return part.source;
  if (typeof part !== 'number') return part.map(sourceOf).join('\n');
  if (!Number.isSafeInteger(part)) throw new TypeError('only integers can become code');
  return String(part);
}
