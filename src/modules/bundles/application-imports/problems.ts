import { deepCopy } from '../../../lib/async/deep-copy.js';
import { UnprocessableResources, type ResourceProblem } from '../../../lib/errors/errors.js';

/** Maximum number of invalid resources; one more aborts the import. */
const MAX_PROBLEMS = 100;

/** Collects problems with the resources of a bundle. */
export class Problems {
  /** Reported problems, up to 100. */
  readonly reported: ResourceProblem[] = [];
  private count = 0;

  /** Records that a resource cannot be imported. Throws `422` after too many of them. */
  add(problem: ResourceProblem): void {
    this.recordChange(problem);
    if (++this.count > MAX_PROBLEMS)
      throw new UnprocessableResources('Too many validation errors occurred.', this.reported);
  }

  /** Returns a mark for `reset`. */
  mark(): { reported: number; count: number } {
    return { reported: this.reported.length, count: this.count };
  }

  /** Discards the problems recorded since the mark. */
  reset({ reported, count }: { reported: number; count: number }): void {
    this.reported.length = reported;
    this.count = count;
  }

  /** Records a change to a resource that is imported nevertheless. */
  recordChange({ type, name, id, message }: ResourceProblem): void {
    if (this.reported.length === MAX_PROBLEMS) return;
    const named = name === undefined ? {} : { name: name.slice(0, 255) };
    const about = id === undefined ? named : { ...named, id: id.slice(0, 255) };
    this.reported.push(deepCopy({ type, ...about, message }));
  }
}
