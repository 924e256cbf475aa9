import { ConsoleMessages } from './console-messages.js';
import { BUFFER_SOURCE } from './guest-buffer.js';
import { ERROR, guest, TOO_LARGE, type GuestSettings } from './guest.js';
import type { Context, Isolate, IsolatedVm, Reference, Script } from './isolated-vm.js';
import { LIMITS, type ScriptAnswer, type ScriptCall, type ScriptError } from './script-engine.js';
import {
  functionSource,
  isFunctionOf,
  linesOf,
  MEMORY_ERROR,
  SCRIPT_FILE,
  timeoutError,
  UNBALANCED_ERROR,
} from './script-source.js';

const MIB = 1024 * 1024;
/** An isolate with a larger heap is replaced, so that the next call has nearly all of its memory. */
const MAX_KEPT_BYTES = 24 * MIB;
const MAX_SCRIPTS = 100;
/** What V8 has besides the language: other threads, and code that is compiled in bulk. */
const REMOVED = ['Atomics', 'SharedArrayBuffer', 'WebAssembly', 'gc'];
/** Time of the code that is not the author's. */
const OWN_TIME = { timeout: 5_000 };

/** Source of a closure that makes the functions of a call, with the host's `log` as `$0`. */
const setUpSource = (settings: GuestSettings): string => `
  for (const name of ${JSON.stringify(REMOVED)}) delete globalThis[name];
  return (${guest.toString()})({ log: (level, text) => $0(level, text), random: Math.random }, ${JSON.stringify(settings)});`;
const TEXT_OF_FUNCTION = 'return Function.prototype.toString.call($0);';

/** Isolate of V8 that runs scripts of one application, each in a context of its own. */
export class ScriptIsolate {
  private readonly isolate: Isolate;
  private readonly setUp: string;
  private readonly scripts = new Map<string, Script>();
  private isBroken = false;

  /** @param failed called when V8 cannot go on; the process must end */
  constructor(
    private readonly vm: IsolatedVm,
    settings: GuestSettings,
    failed: () => void,
  ) {
    this.isolate = new vm.Isolate({ memoryLimit: LIMITS.memory / MIB, onCatastrophicError: failed });
    this.setUp = setUpSource(settings);
  }

  /** Runs a script until its end or its limits, of which the time is in milliseconds. Never rejects. */
  async call({ script, text }: ScriptCall, timeMs: number): Promise<ScriptAnswer> {
    const messages = new ConsoleMessages();
    let context: Context | undefined;
    try {
      const compiled = this.scripts.get(script) ?? (await this.compile(script));
      context = await this.isolate.createContext();
      const run = await this.prepare(context, messages);
      const body = await compiled.run(context, { timeout: timeMs, reference: true });
      const source = await context.evalClosure(TEXT_OF_FUNCTION, [body.derefInto()], OWN_TIME);
      if (!isFunctionOf(script, String(source))) return { error: UNBALANCED_ERROR, messages: messages.all };
      const args = [body.derefInto(), text];
      const result = await run.apply(undefined, args, { timeout: timeMs, result: { copy: true } });
      return answerOf(String(result), messages);
    } catch (error) {
      return { error: this.errorOf(error, timeMs), messages: messages.all };
    } finally {
      if (!this.isolate.isDisposed) context?.release();
    }
  }

  /** Returns whether the isolate can run further calls. Otherwise it must be replaced. */
  async isUsable(): Promise<boolean> {
    if (this.isBroken || this.isolate.isDisposed || this.scripts.size >= MAX_SCRIPTS) return false;
    const used = await this.isolate.getHeapStatistics();
    return used.used_heap_size + used.externally_allocated_size <= MAX_KEPT_BYTES;
  }

  dispose(): void {
    if (!this.isolate.isDisposed) this.isolate.dispose();
  }

  private async compile(script: string): Promise<Script> {
    const compiled = await this.isolate.compileScript(functionSource(script), { filename: SCRIPT_FILE });
    this.scripts.set(script, compiled);
    return compiled;
  }

  private async prepare(context: Context, messages: ConsoleMessages): Promise<Reference> {
    await context.evalClosure(BUFFER_SOURCE, [], OWN_TIME);
    const log = new this.vm.Callback((level, text) => messages.add(level, text));
    return (await context.evalClosure(this.setUp, [log], {
      ...OWN_TIME,
      result: { reference: true },
    })) as Reference;
  }

  /** Returns the error of a call that did not return. Isolates that were stopped are in any state. */
  private errorOf(error: unknown, timeMs: number): ScriptError {
    const { name, message, stack = '' } = error as Error;
    const [, text, line] = PLACE.exec(message) ?? [];
    if (error instanceof SyntaxError && line) return { name, message: text!, stack: linesOf(`at ${line}`) };
    this.isBroken = true;
    if (message.startsWith('Script execution timed out')) return timeoutError(timeMs);
    if (this.isolate.isDisposed || OUT_OF_MEMORY.test(message)) return MEMORY_ERROR;
    return { name, message: message.slice(0, LIMITS.text), stack: linesOf(stack) };
  }
}

/** Messages of V8 about memory. Texts that are too long for V8 are a `RangeError` of the script. */
const OUT_OF_MEMORY = /allocation failed|out of memory/i;
/** Place that the library adds to the messages of syntax errors. */
const PLACE = /^(.*) \[(.*)\]$/s;

function answerOf(result: string, { all: messages }: ConsoleMessages): ScriptAnswer {
  if (result === TOO_LARGE) return { isTooLarge: true, messages };
  if (!result.startsWith(ERROR)) return { json: result, messages };
  const { name, message, stack } = JSON.parse(result.slice(ERROR.length)) as Record<
    keyof ScriptError,
    string
  >;
  if (name === 'RangeError' && OUT_OF_MEMORY.test(message)) return { error: MEMORY_ERROR, messages };
  return { error: { name, message, stack: linesOf(stack) }, messages };
}
