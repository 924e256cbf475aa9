/**
 * Time in milliseconds for which steps are executed before other work of the process gets its turn. A reply of another
 * workflow waits for several turns.
 */
const TURN_MS = 0.25;

/**
 * Executes steps of runs in turns: one step of each owner after another, however many steps an owner has. A step must not
 * throw, and takes as long as a slice of a run at most.
 */
export class ProcessorTurns {
  /** Steps by owner; the first owner is next. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  /** Adds a step behind those of its owner, or before them. */
  add(owner: string, step: () => void, isNext = false): void {
    const steps = this.waiting.get(owner);
    if (!steps) this.waiting.set(owner, [step]);
    else if (isNext) steps.unshift(step);
    else steps.push(step);
    this.schedule();
  }

  /** Does some work in the turn of an owner, for as long as a slice of a run at most, and returns its result. */
  inTurn<T>(owner: string, work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(owner, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.executeSteps();
      if (this.waiting.size > 0) this.schedule();
    });
  }

  private executeSteps(): void {
    const end = performance.now() + TURN_MS;
    // An owner that has more steps is added again behind the others, so that the loop reaches it again.
    for (const [owner, steps] of this.waiting) {
      this.waiting.delete(owner);
      const step = steps.shift()!;
      if (steps.length > 0) this.waiting.set(owner, steps);
      step();
      if (performance.now() >= end) return;
    }
  }
}
