import { Injectable, Logger } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import { DebugMessages } from '../../../workflows/debug/debug-messages.js';
import { execute } from '../../../workflows/engine/execution.js';
import type { RunOutcome } from '../../../workflows/engine/run-request.js';
import { ProcessorTurns } from '../../../workflows/engine/processor-turns.js';
import type { Program, ProgramTrigger } from '../../../workflows/engine/program.js';
import { rootPayload } from '../../../workflows/engine/root-payload.js';
import { matchesTopic } from '../../../lib/mqtt/topic-filter.js';
import { ANY_ENDPOINT } from '../../../workflows/runs/causes.js';
import type { WaitingRun } from '../../../workflows/runs/handover.js';
import { firingOf } from '../../../workflows/runs/firing-of.js';
import type { RunTrigger } from '../../../workflows/runs/run-trigger.js';
import type { RunFacts } from './programs.repository.js';
import { Programs } from './programs.js';
import { ERROR_TRIGGER, type FailedRun } from './run-failures.js';
import type { EndedRun } from './run-inbox.repository.js';
import type { EffectiveRun } from './run-effects.js';
import { RunPorts } from './run-ports.js';
import { RunSpans } from './run-spans.js';
import { RunTraces } from './run-traces.js';

/** Result of a run. */
export interface Executed extends Omit<EndedRun, 'lane' | 'seq' | 'fence'> {
  /** Processor time in milliseconds. */
  used: number;
  failed?: FailedRun;
}

/** Result of a run whose workflow, version or payload no longer exists. */
const DISCARDED: Executed = {
  isStored: false,
  pathsCompleted: 0,
  pathsFailed: 0,
  wallTime: 0,
  errors: [],
  hasEffects: true,
  used: 0,
};

/**
 * Slices after which other runs of the application get their turn. Runs that end within a few slices do so one after
 * another, so that few of them are in memory half done.
 */
const SLICES_IN_A_ROW = 20;

/** Returns the result of a run that failed because of the platform. */
export const failedRun = (message: string): Executed => ({
  ...DISCARDED,
  isStored: true,
  pathsFailed: 1,
  errors: [{ time: new Date().toISOString(), error: { name: 'InternalError', message } }],
});

/** Executes single runs. */
@Injectable()
@RunsIn('engine')
export class RunExecutor {
  private readonly logger = new Logger(RunExecutor.name);
  /** Turns of the applications whose runs this process executes. */
  readonly turns = new ProcessorTurns();

  constructor(
    private readonly programs: Programs,
    private readonly ports: RunPorts,
    private readonly debug: DebugMessages,
    private readonly traces: RunTraces,
    private readonly spans: RunSpans,
  ) {}

  /** Executes a run with the current version of its program. */
  async execute(run: WaitingRun, facts: RunFacts): Promise<Executed> {
    const { stamp, trigger } = facts;
    if (stamp === null || trigger === null) return DISCARDED;
    const begin = (program: Program | undefined) =>
      program ? this.executeProgram(program, run, trigger, facts) : DISCARDED;
    const found = this.programs.get(run.applicationId, run, stamp);
    if (!(found instanceof Promise)) return begin(found);
    const program = await found;
    // All runs that have waited for the program would begin at once.
    return this.turns.inTurn(run.applicationId, () => begin(program));
  }

  private async executeProgram(
    program: Program,
    run: WaitingRun,
    trigger: RunTrigger,
    { device, hasEffects }: RunFacts,
  ): Promise<Executed> {
    const debug = this.debug.sinkOf(run);
    const began = Date.now();
    const effective: EffectiveRun = { run, hasEffects };
    let slices = 0;
    const outcome = await execute({
      id: run.id,
      program,
      triggers: triggersOf(program, trigger),
      payload: rootPayload(program, firingOf(trigger, run, device ?? undefined)),
      deviceId: run.deviceId ?? undefined,
      network: trigger.network,
      ports: this.ports.ofRun(effective),
      debug,
      isTraced: true,
      nextTurn: (goOn) => this.turns.add(run.applicationId, goOn, slices++ < SLICES_IN_A_ROW),
    });
    this.spans.add({ id: run.id, program, triggerType: trigger.type, began }, outcome);
    const trace = this.traces.textOf(program, outcome, debug !== undefined);
    const storesEffects = hasEffects || effective.storesEffects === true;
    return { trace, hasEffects: storesEffects, ...this.executed(outcome, program, trigger) };
  }

  private executed(
    outcome: RunOutcome,
    program: Program,
    { type }: RunTrigger,
  ): Omit<Executed, 'hasEffects'> {
    const { pathsCompleted, pathsFailed, wallTime, busyTime, errors, failure, internalError } = outcome;
    if (internalError)
      this.logger.error(
        `A node of workflow ${program.flowId} failed: ${internalError.message}`,
        internalError.stack,
      );
    const failed = failure && type !== ERROR_TRIGGER ? { program, failure } : undefined;
    return { isStored: true, pathsCompleted, pathsFailed, wallTime, errors, used: busyTime, failed };
  }
}

/** Returns the triggers of a program that a cause has fired. */
function triggersOf({ triggers }: Program, { type, key }: RunTrigger): ProgramTrigger[] {
  const isFired = ({ key: own = '' }: ProgramTrigger): boolean => {
    if (type === 'mqttTopic') return matchesTopic(own, key);
    return own === key || (type === 'endpoint' && own === ANY_ENDPOINT);
  };
  return triggers.filter((trigger) => trigger.type === type && isFired(trigger));
}
