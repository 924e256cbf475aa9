/** A pattern that cannot be used. The message follows the name of the pattern. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Maximum number of characters to compare; takes some 20 ms. */
const MAX_STEPS = 500_000;

/** Bounds the work of one search, or of several. */
export class Steps {
  constructor(private left = MAX_STEPS) {}

  /** Throws a `PatternError` once all steps are spent. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new PatternError('takes too many steps for this text');
  }
}

/** Positions in a text, each once, in any order. */
export type Positions = readonly number[];

/** One search through a text. */
export class Search {
  private readonly found = new Map<object, ReadonlySet<number>>();

  constructor(
    readonly text: string,
    private readonly steps: Steps,
  ) {}

  everywhere(): Positions {
    this.spend(this.text.length + 1);
    return Array.from({ length: this.text.length + 1 }, (_, position) => position);
  }

  spend(steps: number): void {
    this.steps.spend(steps);
  }

  /** Returns the positions that `find` returns for a part of the pattern, which is called once in a search. */
  once(part: object, find: () => Positions): ReadonlySet<number> {
    let positions = this.found.get(part);
    if (!positions) this.found.set(part, (positions = new Set(find())));
    return positions;
  }
}
