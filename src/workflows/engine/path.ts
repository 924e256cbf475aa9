import { effectIdOf } from './effect-id.js';
import type { Cap, Control, DebugOutput, Run, RunPath } from './node-run.js';
import type { Payload } from './payload.js';
import { triggersOf, type Program, type ProgramNode } from './program.js';
import { RunFault } from './run-error.js';

/** Paths that belong together: those of a run, of a round of a loop, or of a call of a custom node. */
export class Scope {
  /** Number of scopes around it. */
  readonly depth: number;
  /** Number of its paths that have not ended. */
  live = 0;
  /** The first cap that a path has reached. */
  cap?: Cap;
  failure?: Error;
  /** Whether the owner has gone on, or the run has failed. Paths of a custom node can outlive its call. */
  isSettled = false;
  /** Present while the owner waits. */
  waiter?: { resolve(cap: Cap | undefined): void; reject(failure: Error): void };
  /** Node that the owner was at. */
  readonly ownerNode?: ProgramNode;
  private readonly ownerLaps: number;

  constructor(
    readonly program: Program,
    readonly run: Run,
    /** Path that has reached the loop or custom node; absent for the run itself. */
    readonly owner?: Path,
    /** Index of the round; absent for calls. */
    readonly round?: number,
  ) {
    this.depth = owner ? owner.scope.depth + 1 : 0;
    this.ownerNode = owner?.node;
    this.ownerLaps = owner?.laps ?? 0;
  }

  get isCall(): boolean {
    return this.owner !== undefined && this.round === undefined;
  }

  /** Place of the scope in the run, as text that no other scope has. */
  get place(): string {
    if (!this.owner) return '';
    return `${this.owner.place}/${this.ownerNode!.order}.${this.ownerLaps}.${this.round ?? ''}`;
  }

  /** Whether its paths may not go on, because one of them or of the scopes around it has failed. */
  get hasFailed(): boolean {
    return this.failure !== undefined || (this.owner?.scope.hasFailed ?? false);
  }

  /** Whether it is inside a custom node, or is one. */
  get isInCall(): boolean {
    return this.isCall || (this.owner?.scope.isInCall ?? false);
  }
}

/** Nodes that a path has passed, in reverse order. */
export interface Trail {
  readonly node: ProgramNode;
  readonly before: Trail | undefined;
}

/** What a path needs of the execution that it belongs to. */
export interface Director {
  runOf(program: Program): Run;
  /** Runs targets in a new scope; see `Control.round`. */
  enter(
    scope: Scope,
    targets: readonly ProgramNode[],
    payload: Payload,
  ): Cap | undefined | Promise<Cap | undefined>;
  /** Ends a call at its first cap. */
  settle(scope: Scope): void;
  debug(path: Path, message: () => DebugOutput): void;
}

/** One way through a program, at one of its nodes. */
export class Path implements RunPath, Control {
  /** Number of times that it has gone back to an earlier node. */
  laps = 0;
  /** Number of effects of this execution of the node. */
  private effects = 0;

  constructor(
    private readonly director: Director,
    readonly scope: Scope,
    public node: ProgramNode,
    readonly payload: Payload,
    /** Forks that led to it, since the start of the scope. */
    private readonly forks: string,
    public trail?: Trail,
  ) {}

  get run(): Run {
    return this.scope.run;
  }

  get control(): Control {
    return this;
  }

  /** Place of the path in the run, as text that no other path has. */
  get place(): string {
    return this.scope.place + this.forks;
  }

  get effectId(): string {
    return effectIdOf(this.run.id, `${this.place}/${this.node.id}/${this.laps}`);
  }

  nextEffectId(): string {
    return effectIdOf(this.run.id, `${this.place}/${this.node.id}/${this.laps}/${this.effects++}`);
  }

  /** Goes on to a node. */
  move(node: ProgramNode): void {
    if (node.order <= this.node.order) this.laps++;
    this.node = node;
    this.effects = 0;
  }

  /** Returns a path that starts here and goes to the target with an index. */
  fork(node: ProgramNode, index: number): Path {
    const forks = `${this.forks}>${this.node.order}.${this.laps}.${index}`;
    const path = new Path(this.director, this.scope, this.node, this.payload.fork(), forks, this.trail);
    path.laps = this.laps;
    path.move(node);
    return path;
  }

  debug(message: () => DebugOutput): void {
    this.director.debug(this, message);
  }

  round(payload: Payload, index: number): Cap | undefined | Promise<Cap | undefined> {
    const { program, run } = this.scope;
    return this.director.enter(new Scope(program, run, this, index), this.node.targets[1] ?? [], payload);
  }

  call(program: Program, payload: Payload): Cap | undefined | Promise<Cap | undefined> {
    for (let scope: Scope | undefined = this.scope; scope; scope = scope.owner?.scope)
      if (scope.program.flowId === program.flowId)
        throw new RunFault('RecursionError', `The custom node ${program.flowName} cannot execute itself`);
    const targets = triggersOf(program, 'customNodeStart', 'customNodeStart').flatMap(
      (start) => start.targets,
    );
    const run = program.isOfInstance ? this.run : this.director.runOf(program);
    return this.director.enter(new Scope(program, run, this), targets, payload);
  }

  endRound(cap: Cap): void {
    if (this.scope.round !== undefined) this.scope.cap ??= cap;
  }

  endCall(cap: Cap): void {
    if (!this.scope.isCall || this.scope.isSettled) return;
    this.scope.cap = cap;
    this.director.settle(this.scope);
  }
}
