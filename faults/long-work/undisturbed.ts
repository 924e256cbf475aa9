import type { Effect } from './requested-job.js';
import type { Field } from './field.js';

/** Compares results of disturbed work with those of an undisturbed run of the same kind. */
export class Undisturbed {
  /** Bundle hashes of the undisturbed results, by kind of work. */
  private readonly bundles = new Map<string, string>();

  constructor(private readonly field: Field) {}

  /** The first result of a kind must be from an undisturbed run. */
  async isLike(kind: string, applicationId: string): Promise<boolean> {
    const hash = await this.field.hashOf(applicationId);
    const known = this.bundles.get(kind) ?? hash;
    this.bundles.set(kind, known);
    return hash === known;
  }

  /** Returns the effect of adding to an application whose previous bundle hash is known. */
  async added(kind: string, applicationId: string, before: string): Promise<Effect> {
    if ((await this.field.hashOf(applicationId)) === before) return { whole: 0 };
    const isWhole = await this.isLike(kind, applicationId);
    return isWhole ? { whole: 1 } : { whole: 0, odd: `${applicationId} has different content` };
  }
}
