import { detached } from '../../../lib/async/detached.js';
import { UnprocessableResources, type ResourceProblem } from '../../../lib/errors/errors.js';

/** Maximum number of invalid resources; one more aborts the import. */
const MOST = 100;

/** Collects problems with the resources of a bundle. */
export class Problems {
  /** Reported problems, up to 100. */
  readonly told: ResourceProblem[] = [];
  private count = 0;

  /** Records that a resource cannot be imported. Throws `422` after too many of them. */
  add(problem: ResourceProblem): void {
    this.note(problem);
    if (++this.count > MOST)
      throw new UnprocessableResources('Too many validation errors occurred.', this.told);
  }

  /** Returns a mark for `reset`. */
  mark(): { told: number; count: number } {
    return { told: this.told.length, count: this.count };
  }

  /** Discards the problems recorded since the mark. */
  reset({ told, count }: { told: number; count: number }): void {
    this.told.length = told;
    this.count = count;
  }

  /** Records a change to a resource that is imported nevertheless. */
  note({ type, name, id, message }: ResourceProblem): void {
    if (this.told.length === MOST) return;
    const named = name === undefined ? {} : { name: name.slice(0, 255) };
    const about = id === undefined ? named : { ...named, id: id.slice(0, 255) };
    this.told.push(detached({ type, ...about, message }));
  }
}
