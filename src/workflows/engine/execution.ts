import { debugMessage } from './debug-message.js';
import { NodeFailure, pathError, runFailure, shownError } from './failure.js';
import { MAX_NESTING, MAX_NODES, MAX_READY_PATHS, MAX_RUN_MILLISECONDS } from './limits.js';
import { END, type Cap, type DebugOutput, type Outcome, type Run } from './node-run.js';
import { Path, Scope, type Director, type Trail } from './path.js';
import { Payload } from './payload.js';
import { ProgramRun } from './program-run.js';
import type { Program, ProgramNode } from './program.js';
import { RunFault } from './run-error.js';
import type { RunOutcome, RunRequest } from './run-request.js';
import { FAILED, Trace } from './trace.js';

/** Longest time and most nodes before other work of the process gets its turn. */
const SLICE_MILLISECONDS = 0.25;
const SLICE_NODES = 1_000;

/** Executes a run. Rejects only for errors of the engine itself. */
export const execute = (request: RunRequest): Promise<RunOutcome> =>
  new Promise((resolve, reject) => new Execution(request, resolve, reject).start());

/** One run: its paths, and their turns. Steps that need not wait run without promises. */
class Execution implements Director {
  private readonly began = performance.now();
  private readonly timeLimit: number;
  private readonly deadline: number;
  private readonly root: Scope;
  private readonly trace?: Trace;
  /** Paths that can go on; the last one is next. */
  private readonly ready: Path[] = [];
  /** Paths whose nodes wait. */
  private readonly waiting = new Set<Path>();
  /** Paths that have not ended, in all scopes. */
  private live = 0;
  private completed = 0;
  private executed = 0;
  private sliceNodes = 0;
  private sliceEnd = 0;
  /** Time of the last entry of the trace in this turn, or 0. The next node begins then, so the clock is read once. */
  private recorded = 0;
  private busy = 0;
  /** Start of the current turn. */
  private turnBegan?: number;
  private isOver = false;
  private isScheduled = false;
  private timer?: NodeJS.Timeout;
  private controller?: AbortController;

  constructor(
    private readonly request: RunRequest,
    private readonly resolve: (outcome: RunOutcome) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.timeLimit = request.timeLimit ?? MAX_RUN_MILLISECONDS;
    this.deadline = this.began + this.timeLimit;
    this.root = new Scope(request.program, this.runOf(request.program));
    if (request.isTraced) this.trace = new Trace();
  }

  start(): void {
    const { triggers, payload } = this.request;
    const targets =
      triggers.length === 1 ? triggers[0]!.targets : triggers.flatMap((trigger) => trigger.targets);
    this.spread(this.root, targets, new Payload(payload));
    if (this.live === 0) this.finish();
    else this.takeTurn(this.began);
  }

  runOf(program: Program): Run {
    return new ProgramRun(this, this.request, program);
  }

  enter(
    scope: Scope,
    targets: readonly ProgramNode[],
    payload: Payload,
  ): Cap | undefined | Promise<Cap | undefined> {
    if (scope.depth > MAX_NESTING)
      throw new RunFault(
        'RangeError',
        `Loops and custom nodes must not be nested more than ${MAX_NESTING} levels deep`,
      );
    if (targets.length === 0) return undefined;
    const outside = this.ready.length;
    const { owner, ownerNode } = scope;
    this.spread(scope, targets, payload, this.trailAfter(owner!.trail, ownerNode!));
    this.follow(outside, scope);
    // The step of a run that is over never continues.
    if (this.isOver) return new Promise(() => undefined);
    if (scope.failure) throw scope.failure;
    if (scope.isSettled) return scope.cap;
    if (this.ready.length > 0) this.schedule();
    return new Promise((resolve, reject) => {
      scope.waiter = { resolve, reject };
    });
  }

  settle(scope: Scope): void {
    scope.isSettled = true;
    scope.waiter?.resolve(scope.cap);
  }

  debug(path: Path, message: () => DebugOutput): void {
    const { debug, triggers } = this.request;
    if (!debug || path.scope.isInCall) return;
    const output = message();
    path.payload.share();
    debug(debugMessage(path, triggers, output));
  }

  /** Created when a node first needs it, because it costs as much as several nodes. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isOver) this.controller.abort();
    return this.controller.signal;
  }

  /** Starts a path for each target. */
  private spread(scope: Scope, targets: readonly ProgramNode[], payload: Payload, trail?: Trail): void {
    // The path of the first target is next.
    for (let i = targets.length - 1; i >= 0; i--) {
      const own = i === 0 ? payload : payload.fork();
      this.add(new Path(this, scope, targets[i]!, own, i === 0 ? '' : `>${i}`, trail));
    }
  }

  private add(path: Path): void {
    path.scope.live++;
    this.live++;
    this.ready.push(path);
  }

  /** Follows ready paths until the slice is over. */
  private takeTurn(now = performance.now()): void {
    if (this.isOver) return;
    if (now >= this.deadline) return this.timeOut();
    this.sliceNodes = 0;
    this.recorded = 0;
    this.sliceEnd = now + SLICE_MILLISECONDS;
    this.turnBegan = now;
    this.follow(0);
    if (this.isOver) return;
    this.busy += performance.now() - now;
    this.turnBegan = undefined;
    if (this.ready.length > 0) this.schedule();
    this.timer ??= setTimeout(() => this.timeOut(), this.deadline - now);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const { nextTurn = setImmediate } = this.request;
    nextTurn(() => {
      this.isScheduled = false;
      try {
        this.takeTurn();
      } catch (error) {
        this.end();
        this.reject(error);
      }
    });
  }

  private get isSliceOver(): boolean {
    // Reading the clock takes as long as a fast node.
    if ((this.sliceNodes & 7) === 7 && performance.now() > this.sliceEnd) this.sliceNodes = SLICE_NODES;
    return this.sliceNodes >= SLICE_NODES;
  }

  /** Follows ready paths until only the first `kept` are left, the slice is over, or the scope is settled. */
  private follow(kept: number, scope?: Scope): void {
    while (this.ready.length > kept && !this.isOver && !scope?.isSettled && !this.isSliceOver) {
      const path = this.ready.pop()!;
      if (path.scope.hasFailed) this.retire(path);
      else this.followPath(path);
    }
  }

  /** Follows a path until it ends, its node waits, or the slice is over. */
  private followPath(path: Path): void {
    do {
      this.sliceNodes++;
      if (++this.executed > MAX_NODES)
        return this.stop(
          path,
          new RunFault('RangeError', `A run must not execute more than ${MAX_NODES} nodes`),
        );
      const began = this.trace ? this.recorded || performance.now() : 0;
      let outcome: Outcome | Promise<Outcome>;
      try {
        outcome = path.node.step(path as never);
      } catch (error) {
        return this.fail(path, error, began);
      }
      if (typeof outcome === 'object') return this.wait(path, outcome, began);
      if (!this.proceed(path, outcome, began)) return;
    } while (!this.isSliceOver);
    this.ready.push(path);
  }

  private wait(path: Path, outcome: Promise<Outcome>, began: number): void {
    this.waiting.add(path);
    const resume = (go: () => void): void => {
      this.waiting.delete(path);
      if (this.isOver) return;
      if (path.scope.hasFailed) return this.retire(path);
      go();
    };
    outcome.then(
      (output) =>
        resume(() => {
          if (!this.proceed(path, output, began)) return;
          this.ready.push(path);
          this.schedule();
        }),
      (error: unknown) => resume(() => this.fail(path, error, began)),
    );
  }

  /** Moves a path to the targets of an output. Returns `false` if it has ended. */
  private proceed(path: Path, output: Outcome, began: number): boolean {
    const { node, scope } = path;
    this.record(path, began, output);
    const targets = output === END ? undefined : node.targets[output ?? 0];
    if (!targets?.length) {
      if (scope === this.root) this.completed++;
      this.retire(path);
      return false;
    }
    path.trail = this.trailAfter(path.trail, node);
    for (let i = targets.length - 1; i > 0; i--) this.add(path.fork(targets[i]!, i));
    if (targets.length > 1 && this.ready.length > MAX_READY_PATHS) {
      this.stop(
        path,
        new RunFault('RangeError', `A run must not have more than ${MAX_READY_PATHS} paths at once`),
      );
      return false;
    }
    path.move(targets[0]!);
    return true;
  }

  private record({ node, scope }: Path, began: number, output: Outcome): void {
    if (this.trace && !scope.isInCall) this.recorded = this.trace.add(node, began, output);
  }

  /** Trails are recorded for debug messages only. */
  private trailAfter(before: Trail | undefined, node: ProgramNode): Trail | undefined {
    return this.request.debug ? { node, before } : undefined;
  }

  /** Counts a path as ended. */
  private retire({ scope }: Path): void {
    scope.live--;
    this.live--;
    if (scope.live === 0 && !scope.isSettled) this.settle(scope);
    if (this.live === 0) this.finish();
  }

  /** Fails the scope of a path; a call that has returned cannot fail, so the path fails the scope of the caller. */
  private fail(path: Path, error: unknown, began: number): void {
    this.record(path, began, FAILED);
    const failure = error instanceof NodeFailure ? error : new NodeFailure(path, error);
    let { scope } = path;
    while (scope.owner && scope.isSettled) scope = scope.owner.scope;
    if (!scope.owner) return this.finish(path, failure);
    scope.failure = failure;
    scope.isSettled = true;
    scope.waiter?.reject(failure);
    // The owner decides how to go on before any other path does.
    this.sliceNodes = SLICE_NODES;
    this.retire(path);
  }

  /** Fails the run as a whole. */
  private stop(path: Path, fault: RunFault): void {
    this.finish(path, new NodeFailure(path, fault));
  }

  private timeOut(): void {
    // Loops and custom nodes wait for the nodes inside them.
    const deepest = [...this.waiting].reduce<Path | undefined>(
      (found, path) => (found && found.scope.depth >= path.scope.depth ? found : path),
      undefined,
    );
    const path = this.ready.at(-1) ?? deepest!;
    this.stop(
      path,
      new RunFault('TimeoutError', `The run took longer than ${this.timeLimit / 1_000} seconds`),
    );
  }

  /** Stops all paths and lets go of all resources. */
  private end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.controller?.abort();
  }

  private finish(path?: Path, failure?: NodeFailure): void {
    if (this.isOver) return;
    this.end();
    const now = performance.now();
    const outcome = {
      pathsCompleted: this.completed,
      pathsFailed: failure ? 1 : 0,
      wallTime: Math.round(now - this.began),
      busyTime: this.busy + (this.turnBegan === undefined ? 0 : now - this.turnBegan),
      errors: failure ? [pathError(failure, new Date())] : [],
      trace: this.trace,
    };
    this.resolve(failure ? { ...outcome, ...this.failed(path!, failure) } : outcome);
  }

  private failed(path: Path, failure: NodeFailure): Pick<RunOutcome, 'failure' | 'internalError'> {
    const { payload, debug, triggers } = this.request;
    const { cause } = failure;
    const shown = shownError(cause);
    const data = payload.data as { replyId?: unknown } | null | undefined;
    const { name, message } = shown;
    if (debug) {
      const output = { level: 'error', message, payload: failure.payload } as const;
      debug({
        ...debugMessage(path, triggers, output),
        sourceNode: failure.node.id,
        error: { name, message },
      });
    }
    return {
      failure: runFailure(failure, data?.replyId),
      ...(name === 'InternalError' && cause instanceof Error ? { internalError: cause } : {}),
    };
  }
}
