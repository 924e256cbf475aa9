import { detached } from '../../../lib/async/detached.js';
import { UnprocessableResources, type ResourceProblem } from '../../../lib/errors/errors.js';

/** Beyond so many resources that cannot be imported, none is. */
const MOST = 100;

/** What is wrong with resources of a bundle. */
export class Problems {
  /** What is told of them, the first hundred. */
  readonly told: ResourceProblem[] = [];
  private count = 0;

  /** Notes that a resource cannot be imported; 422 once these are too many. */
  add(problem: ResourceProblem): void {
    this.note(problem);
    if (++this.count > MOST)
      throw new UnprocessableResources('Too many validation errors occurred.', this.told);
  }

  /** How much is noted so far. */
  mark(): { told: number; count: number } {
    return { told: this.told.length, count: this.count };
  }

  /** Forgets what was noted since. */
  reset({ told, count }: { told: number; count: number }): void {
    this.told.length = told;
    this.count = count;
  }

  /** Notes what is not as it was, of what is imported all the same. */
  note({ type, name, id, message }: ResourceProblem): void {
    if (this.told.length === MOST) return;
    const named = name === undefined ? {} : { name: name.slice(0, 255) };
    const about = id === undefined ? named : { ...named, id: id.slice(0, 255) };
    this.told.push(detached({ type, ...about, message }));
  }
}
