import { DEBUG, DEEPEST_STACK, STEP_STARTS, STEP_TABLE } from './bundle';
import { collect, tidy } from './memory';
import { step } from './steps';
import { Trigger } from './triggers';
import { UNDEFINED, Value } from './value';

/** What a step returns whose path ends there. */
export const END: i32 = -1;
/** What a step returns that failed; `Run.fail` does. It ends the run. */
export const FAILED: i32 = -2;

/**
 * What the node of a loop remembers between rounds; such nodes extend it. A round ends when all paths have ended that
 * began in it.
 */
export class Frame {}

/** The steps that led to a step, newest first. */
@final
export class Trail {
  constructor(
    readonly step: i32,
    readonly before: Trail | null,
  ) {}
}

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
    readonly trail: Trail | null,
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
  payload: Value;
  /** The innermost loop that the step stands in. */
  frame: Frame | null = null;
  /** What the step gave `repeat`, when a round of it has ended; null where the step comes from another. */
  resumed: Frame | null = null;
  /** The step that runs. */
  step: i32 = -1;
  /** The steps before it, where debug messages tell them. */
  trail: Trail | null = null;
  errorName: string = '';
  errorMessage: string = '';
  /** What the host answered that made the run fail, else 0. */
  code: i32 = 0;
  private first: Waiting | null = null;
  private waiting: i32 = 0;

  constructor(
    readonly trigger: Trigger,
    payload: Value,
  ) {
    this.payload = payload;
  }

  /** Ends the run with an error: `return run.fail('RangeError', 'the list is too long');` */
  fail(name: string, message: string): i32 {
    this.errorName = name;
    this.errorMessage = message;
    return FAILED;
  }

  /** Ends the run because the host answered with a code. */
  refused(what: string, code: i32): i32 {
    this.code = code;
    return this.fail('HostError', `${what} failed with code ${code}`);
  }

  /**
   * Runs a round of a loop: what follows `output`, with `payload` and with `frame` as its loop; then the step again, with
   * the payload that it has now and `frame` as `resumed`. The step's last word: `return run.repeat(frame, 1, payload);`
   */
  repeat(frame: Frame, output: i32, payload: Value): i32 {
    this.push(this.step, this.payload, this.frame, frame, this.trail);
    return this.follow(this.step, output, payload, frame) ? END : this.overflow();
  }

  /** Runs all paths of the trigger. Answers whether none failed. */
  execute(): bool {
    let output = this.follow(this.trigger.step, 0, this.payload, null) ? END : this.overflow();
    let next = this.first;
    while (next !== null && output != FAILED) {
      this.first = next.next;
      this.waiting--;
      this.step = next.step;
      this.payload = next.payload;
      this.frame = next.frame;
      this.resumed = next.resumed;
      this.trail = next.trail;
      output = step(this.step, this);
      if (output >= 0 && !this.follow(this.step, output, this.payload, this.frame)) output = this.overflow();
      if (!tidy()) output = this.exhausted();
      next = this.first;
    }
    return output != FAILED;
  }

  /** Lets go of what the run holds, so that there is room to tell of it. */
  private exhausted(): i32 {
    this.payload = UNDEFINED;
    this.frame = null;
    this.resumed = null;
    this.first = null;
    collect();
    return this.fail('RangeError', 'the run needs too much memory');
  }

  private overflow(): i32 {
    return this.fail('RangeError', 'too many paths wait');
  }

  /** Lets what follows an output wait, the first on top. All but the last get a clone of the payload. */
  private follow(from: i32, output: i32, payload: Value, frame: Frame | null): bool {
    let at = load<i32>(STEP_STARTS + (from << 2)) + 1;
    if (output >= load<i32>(STEP_TABLE + (at << 2))) return true;
    at++;
    for (let skipped = 0; skipped < output; skipped++) at += 1 + load<i32>(STEP_TABLE + (at << 2));
    const count = load<i32>(STEP_TABLE + (at << 2));
    if (this.waiting + count > DEEPEST_STACK) return false;
    let trail: Trail | null = null;
    if (DEBUG && from == this.step) trail = new Trail(from, this.trail);
    for (let i = count; i > 0; i--) {
      const following = load<i32>(STEP_TABLE + ((at + i) << 2));
      this.push(following, i == count ? payload : payload.clone(), frame, null, trail);
    }
    return true;
  }

  private push(
    step: i32,
    payload: Value,
    frame: Frame | null,
    resumed: Frame | null,
    trail: Trail | null,
  ): void {
    this.first = new Waiting(step, payload, frame, resumed, trail, this.first);
    this.waiting++;
  }
}
