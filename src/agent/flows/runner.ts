import { nanoid } from 'nanoid';
import { execute } from '../../workflows/engine/execution.js';
import type { RunOutcome } from '../../workflows/engine/run-request.js';
import type { DebugMessage } from '../../workflows/engine/debug-message.js';
import type { Ports } from '../../workflows/engine/ports.js';
import { ProcessorTurns } from '../../workflows/engine/processor-turns.js';
import { rootPayload } from '../../workflows/engine/root-payload.js';
import type { Log } from '../log.js';
import type { ActiveFlow, ActiveTrigger, CustomNodes, Flows } from './flows.js';

/** Why triggers start runs. */
export interface Cause {
  readonly type: string;
  /** Defaults to the key of the trigger. */
  readonly triggerId?: string;
  readonly data?: unknown;
  readonly meta?: unknown;
  /** Defaults to now. */
  readonly time?: Date;
  readonly relayType?: string;
  readonly relayId?: string;
}

/** What runs of the agent have besides their workflow. */
export interface RunContext {
  ports(customNodes: CustomNodes): Ports;
  /** Members of the payload of every run, besides those of its workflow and trigger. */
  facts(): Readonly<Record<string, unknown>>;
  /** ID of the gateway, if it is known. */
  deviceId(): string | undefined;
  /** Receives the debug messages of a workflow, if somebody watches it. */
  debugOf(flowId: string): ((message: DebugMessage) => void) | undefined;
  /** Receives what each run did. */
  ended(
    active: ActiveFlow,
    outcome: Pick<RunOutcome, 'errors' | 'pathsCompleted' | 'pathsFailed' | 'wallTime'>,
  ): void;
}

/** Runs of a workflow at a time, and those that wait. Further ones are dropped. */
const MAX_OPEN = 100;
const MAX_WAITING = 1_000;
/** About the longest time of a timer, 24 days: workflows on devices have no time limit of their own. */
const MAX_RUN_MS = 2_147_000_000;
/** Type of the triggers of errors. A run that one of them started fires none. */
const ERROR_TRIGGER = 'flowError';

interface Queue {
  open: number;
  readonly waiting: (() => void)[];
}

/** Executes runs. Workflows take turns, so that a busy one does not delay others. */
export class Runner {
  private readonly turns = new ProcessorTurns();
  private readonly queues = new Map<string, Queue>();
  private readonly idle = new Set<() => void>();
  private open = 0;
  private isStopped = false;

  constructor(
    private readonly flows: Flows,
    private readonly context: RunContext,
    private readonly log: Log,
  ) {}

  /** Starts a run for each trigger of the type that matches, in all workflows. Returns their number. */
  fire(cause: Cause, matches: (trigger: ActiveTrigger, active: ActiveFlow) => boolean = () => true): number {
    const found = this.flows.triggersOf(cause.type).filter(([active, trigger]) => matches(trigger, active));
    for (const [active, trigger] of found) this.run(active, trigger, cause);
    return found.length;
  }

  /** Starts a run for one trigger. It goes on with the custom nodes of this moment, although they may be removed. */
  run(active: ActiveFlow, trigger: ActiveTrigger, cause: Cause): void {
    if (this.isStopped || trigger.compiled.targets.length === 0) return;
    const { flowId } = active.flow;
    const { customNodes } = this.flows;
    const queue = this.queues.get(flowId) ?? { open: 0, waiting: [] };
    this.queues.set(flowId, queue);
    const start = (): void => {
      queue.open++;
      this.open++;
      this.turns.add(
        flowId,
        () => void this.execute(active, trigger, cause, customNodes).finally(() => this.leave(flowId, queue)),
      );
    };
    if (queue.open < MAX_OPEN) start();
    else if (queue.waiting.length < MAX_WAITING) queue.waiting.push(start);
    else this.drop(active);
  }

  /** Resolves when no run is open, or after a time in milliseconds. */
  whenIdle(patienceMs: number): Promise<void> {
    if (this.open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.idle.delete(done);
        resolve();
      };
      const timer = setTimeout(done, patienceMs);
      this.idle.add(done);
    });
  }

  /** Starts no more runs, and waits for those that are open for a time in milliseconds. */
  stop(patienceMs: number): Promise<void> {
    this.isStopped = true;
    for (const { waiting } of this.queues.values()) waiting.length = 0;
    return this.whenIdle(patienceMs);
  }

  private async execute(
    active: ActiveFlow,
    trigger: ActiveTrigger,
    cause: Cause,
    customNodes: CustomNodes,
  ): Promise<void> {
    const { program, flow } = active;
    const { type, triggerId = trigger.declaration.key ?? type, ...given } = cause;
    const payload = rootPayload(program, { time: new Date(), triggerType: type, triggerId, ...given });
    let slices = 0;
    try {
      const outcome = await execute({
        id: nanoid(),
        program,
        triggers: [trigger.compiled],
        payload: { ...payload, ...this.context.facts() },
        deviceId: this.context.deviceId(),
        ports: this.context.ports(customNodes),
        debug: this.context.debugOf(flow.flowId),
        timeLimit: MAX_RUN_MS,
        nextTurn: (goOn) => this.turns.add(flow.flowId, goOn, slices++ < 1),
      });
      this.finish(active, outcome, type);
    } catch (error) {
      this.log.error(error, `A run of ${flow.flowName} failed because of an error of the agent`);
    }
  }

  private finish(active: ActiveFlow, outcome: RunOutcome, type: string): void {
    const { flow } = active;
    const { failure, internalError } = outcome;
    if (internalError) this.log.error(internalError, `A node of ${flow.flowName} failed`);
    this.context.ended(active, outcome);
    if (!failure || type === ERROR_TRIGGER) return;
    const { name, message } = failure.errorInfo.error;
    this.log.warn(`A run of ${flow.flowName} failed: ${name}: ${message}`);
    const cause = { type: ERROR_TRIGGER, data: failure, relayType: 'flow', relayId: flow.flowId };
    this.fire(
      cause,
      ({ declaration: { config } }, { flow: other }) =>
        config?.scope === 'global' || other.flowId === flow.flowId,
    );
  }

  private leave(flowId: string, queue: Queue): void {
    queue.open--;
    this.open--;
    queue.waiting.shift()?.();
    if (queue.open === 0) this.queues.delete(flowId);
    if (this.open === 0) for (const done of [...this.idle]) done();
  }

  private drop(active: ActiveFlow): void {
    const message = `The workflow has ${MAX_OPEN} runs, and ${MAX_WAITING} that wait; this one was dropped`;
    const error = {
      time: new Date().toISOString(),
      nodeId: '',
      error: { name: 'TooManyRunsError', message },
    };
    this.context.ended(active, { errors: [error], pathsCompleted: 0, pathsFailed: 1, wallTime: 0 });
  }
}
