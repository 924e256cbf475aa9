import { WorkBudget } from '../../../lib/async/work-budget.js';
import { TooManyRequests, Unavailable } from '../../../lib/errors/errors.js';
import type { FunctionCall, FunctionsPort } from '../ports.js';
import { RunFault } from '../run-error.js';
import { decodeResult, encodePayload } from './payload-text.js';
import {
  LIMITS,
  type ConsoleMessage,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptEngine,
} from './script-engine.js';
import { HostFailure } from './script-host.js';

/** The time of a run: a call that waits longer has no run to return to. */
const PATIENCE_MS = 60_000;
const MAX_WAITING_PER_APPLICATION = 1_000;
const MAX_WAITING = 10_000;
const PREFIX = 'FunctionNode';
/** Names of errors become part of the names of run errors. */
const ERROR_NAME = /^[A-Za-z]\w{0,63}$/;
const MIB = 1024 * 1024;

/**
 * Functions of authors, on a script engine. Applications take turns, and one application never occupies all of the
 * engine, so slow scripts delay only their own application.
 *
 * Names of errors: `FunctionNode` and the name of the JavaScript error; `FunctionNodeTimeoutError`,
 * `FunctionNodeMemoryError` and `PayloadTooLarge` for exceeded limits; `FunctionNodeBusyError` if too many calls wait, and
 * `FunctionNodeHostError` if the engine failed.
 */
export class ScriptFunctions implements FunctionsPort {
  private readonly budget: WorkBudget;

  /**
   * @param report receives each failure of the engine, whose cause authors do not see
   */
  constructor(
    private readonly engine: ScriptEngine,
    private readonly report: (failure: HostFailure, call: FunctionCall) => void,
  ) {
    this.budget = new WorkBudget({
      concurrency: engine.concurrency,
      concurrencyPerOwner: Math.max(1, engine.concurrency - 1),
      waitingPerOwner: MAX_WAITING_PER_APPLICATION,
      waiting: MAX_WAITING,
      patienceMs: PATIENCE_MS,
    });
  }

  async call(call: FunctionCall, log: (message: ConsoleMessage) => void): Promise<unknown> {
    const answer = await this.run(call);
    answer.messages.forEach(log);
    if ('isTooLarge' in answer) throw tooLarge('returned');
    if ('error' in answer) {
      const { name, message, stack } = answer.error;
      throw fault(ERROR_NAME.test(name) ? name : 'Error', message, stack);
    }
    if (Buffer.byteLength(answer.json) > LIMITS.payload) throw tooLarge('returned');
    return decodeResult(answer.json);
  }

  private async run(call: FunctionCall): Promise<ScriptAnswer> {
    const { applicationId, key: version, script, payload, signal } = call;
    const key = `${applicationId}/${version}`;
    const callOf = (): ScriptCall => ({ key, script, text: textOf(payload) });
    signal.throwIfAborted();
    const answer = this.engine.runNow?.(key, callOf);
    if (answer) return answer;
    try {
      return await this.budget.run(applicationId, () => {
        signal.throwIfAborted();
        // Encoded when it is the call's turn, so that waiting calls need no memory.
        return this.engine.run(callOf());
      });
    } catch (error) {
      if (error instanceof TooManyRequests)
        throw fault('BusyError', 'Too many scripts of the application wait');
      if (error instanceof Unavailable) throw fault('BusyError', 'Too many scripts wait');
      if (!(error instanceof HostFailure)) throw error;
      this.report(error, call);
      throw error.reason === 'timeout'
        ? fault('TimeoutError', 'The script did not end in time')
        : fault('HostError', 'The script could not be completed');
    }
  }
}

const fault = (name: string, message: string, stack: readonly string[] = []): RunFault =>
  new RunFault(`${PREFIX}${name}`, message, stack);

const tooLarge = (verb: 'received' | 'returned'): RunFault =>
  new RunFault('PayloadTooLarge', `The script ${verb} more than ${LIMITS.payload / MIB} MiB of JSON`);

function textOf(payload: unknown): string {
  let text: string | undefined;
  try {
    text = encodePayload(payload, LIMITS.payload);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw fault('RangeError', 'The payload is nested too deeply');
  }
  if (text === undefined) throw tooLarge('received');
  return text;
}
