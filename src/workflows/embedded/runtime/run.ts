import { DEBUG, DEEPEST_STACK, STEP_STARTS, STEP_TABLE } from './bundle';
import { collect, tidy } from './memory';
import { step } from './steps';
import { Trigger } from './triggers';
import { UNDEFINED, Value } from './value';

/** Returned by a step to end its path. */
export const END: i32 = -1;
/** Returned by a failed step, from `Run.fail`. Ends the run. */
export const FAILED: i32 = -2;

/**
 * Base class for the state of a loop node between iterations. An iteration ends when all paths started in it have
 * ended.
 */
export class Frame {}

/** Steps that led to a step, newest first. */
@final
export class Trail {
  constructor(
    readonly step: i32,
    readonly before: Trail | null,
  ) {}
}

/** Pending step with its state. */
@final
class Waiting {
  constructor(
    readonly step: i32,
    readonly payload: Value,
    /** Innermost enclosing loop. */
    readonly frame: Frame | null,
    /** Loop of this node whose iteration has ended, if any. */
    readonly resumed: Frame | null,
    readonly trail: Trail | null,
    readonly next: Waiting | null,
  ) {}
}

/**
 * Run of a workflow, from its trigger to the end of all its paths. Steps are functions `(run: Run) => i32`. Paths run
 * one after the other, depth first. Pending steps are in a list rather than on the WebAssembly stack.
 */
@final
export class Run {
  /** Payload of the step, not shared with other paths. */
  payload: Value;
  /** Innermost loop that encloses the step. */
  frame: Frame | null = null;
  /** Frame passed to `repeat`, if an iteration of this step has ended; null if the step follows another one. */
  resumed: Frame | null = null;
  /** Number of the current step. */
  step: i32 = -1;
  /** Preceding steps, if debug messages include them. */
  trail: Trail | null = null;
  errorName: string = '';
  errorMessage: string = '';
  /** Return code of the host that made the run fail, otherwise 0. */
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

  /** Ends the run because a host function returned an error code. */
  refused(what: string, code: i32): i32 {
    this.code = code;
    return this.fail('HostError', `${what} failed with code ${code}`);
  }

  /**
   * Runs an iteration of a loop: the steps after `output`, with `payload` and `frame` as their loop. Then calls the
   * step again with its current payload and `frame` as `resumed`. Must be returned: `return run.repeat(frame, 1,
   * payload);`
   */
  repeat(frame: Frame, output: i32, payload: Value): i32 {
    this.push(this.step, this.payload, this.frame, frame, this.trail);
    return this.follow(this.step, output, payload, frame) ? END : this.overflow();
  }

  /** Executes all paths of the trigger. Returns whether none of them failed. */
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

  /** Releases the memory of the run, so that the error can be reported. */
  private exhausted(): i32 {
    this.payload = UNDEFINED;
    this.frame = null;
    this.resumed = null;
    this.first = null;
    collect();
    return this.fail('RangeError', 'the run needs too much memory');
  }

  private overflow(): i32 {
    return this.fail('RangeError', 'too many pending paths');
  }

  /** Queues the steps after an output, the first one on top. All but the last get a clone of the payload. */
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
