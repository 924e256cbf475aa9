import { Value } from './value';

/** What a step returns whose path ends there. */
export const END: i32 = -1;
/** What a step returns that failed; `Run.fail` does. It ends the run. */
export const FAILED: i32 = -2;

/**
 * What the node of a loop remembers between rounds; such nodes extend it. A round ends when all paths have ended that
 * began in it.
 */
export class Frame {}

/** A step that waits, with what it will be run with. */
@final
class Waiting {
  constructor(
    readonly step: i32,
    readonly payload: Value,
    /** The loop that it stands in. */
    readonly frame: Frame | null,
    /** The loop that it is the node of, and whose round has ended. */
    readonly resumed: Frame | null,
    readonly next: Waiting | null,
  ) {}
}

/**
 * A run of a workflow, from its trigger to the end of all its paths. Steps are functions `(run: Run) => i32`; paths are run
 * one after the other, depth first. What waits stands in a list rather than on the stack of WebAssembly.
 */
@final
export class Run {
  /** What the step sees and changes. No other path has it. */
  payload: Value = Value.object();
  /** The innermost loop that the step stands in. */
  frame: Frame | null = null;
  /** What the step gave `repeat`, when a round of it has ended; null where the step comes from another. */
  resumed: Frame | null = null;
  errorName: string = '';
  errorMessage: string = '';
  private step: i32 = 0;
  private first: Waiting | null = null;

  /** Ends the run with an error: `return run.fail('RangeError', 'the list is too long');` */
  fail(name: string, message: string): i32 {
    this.errorName = name;
    this.errorMessage = message;
    return FAILED;
  }

  /**
   * Runs a round of a loop: what follows `output`, with `payload` and with `frame` as its loop; then the step again, with
   * the payload that it has now and `frame` as `resumed`. The step's last word: `return run.repeat(frame, 1, payload);`
   */
  repeat(frame: Frame, output: i32, payload: Value): i32 {
    this.first = new Waiting(this.step, this.payload, this.frame, frame, this.first);
    this.follow(output, payload, frame);
    return END;
  }

  private follow(output: i32, payload: Value, frame: Frame | null): void {}
}
