import type { Effect } from './asked.js';
import type { Field } from './field.js';

/** Compares what work has made with what work of its kind made that nothing disturbed. */
export class Undisturbed {
  /** The bundles of what undisturbed work makes, by the kind of work. */
  private readonly bundles = new Map<string, string>();

  constructor(private readonly field: Field) {}

  /** The first that is looked at is one that nothing disturbed. */
  async isLike(kind: string, applicationId: string): Promise<boolean> {
    const hash = await this.field.hashOf(applicationId);
    const known = this.bundles.get(kind) ?? hash;
    this.bundles.set(kind, known);
    return hash === known;
  }

  /** What an application has got, whose bundle was known before. */
  async added(kind: string, applicationId: string, before: string): Promise<Effect> {
    if ((await this.field.hashOf(applicationId)) === before) return { whole: 0 };
    const isWhole = await this.isLike(kind, applicationId);
    return isWhole ? { whole: 1 } : { whole: 0, odd: `${applicationId} has something else` };
  }
}
