/**
 * Source of AssemblyScript. It is made by the tag `code` alone, of what this program's authors wrote, other code and
 * integers. Texts cannot become code, so what callers write never does: it reaches a module as constants, which are
 * numbered bytes of its data.
 */
export class Code {
  readonly #source: string;

  private constructor(source: string) {
    this.#source = source;
  }

  get source(): string {
    return this.#source;
  }

  /** The tag: `code\`math(run, ${to.path(path)}, ${2})\``. Lists are joined by line breaks. */
  static readonly tag = (strings: TemplateStringsArray, ...parts: readonly Part[]): Code =>
    new Code(strings.map((written, i) => (i === 0 ? written : sourceOf(parts[i - 1]!) + written)).join(''));

  /** A list with commas between, as arguments have it. */
  static list(parts: readonly Part[]): Code {
    return new Code(parts.map(sourceOf).join(', '));
  }

  /** The one way from a text to code, for names of functions: at most 64 letters, digits and underscores. */
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
  if (!Number.isSafeInteger(part)) throw new TypeError('only integers are code');
  return String(part);
}
