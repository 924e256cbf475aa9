import type { WasmModule } from './quickjs-module.js';
import { CompileFlags, EvalFlags, JSException, QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { BUFFER_SOURCE } from './guest-buffer.js';
import { ERROR, guest, TOO_LARGE, type GuestSettings } from './guest.js';
import { MemoryImage, type InstanceMemory } from './memory-image.js';
import { ConsoleMessages } from './console-messages.js';
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
/** Limit inside the engine. Below that of WebAssembly, so that scripts receive an error that they can handle. */
const HEAP_BYTES = LIMITS.memory - 4 * MIB;
const STACK_BYTES = 256 * 1024;
/** Free memory of a new instance. Calls that need more grow it, and growth cannot be undone. */
const SPARE_BYTES = 2 * MIB;
/** An instance that grew beyond this is replaced. */
const MAX_KEPT_BYTES = 16 * MIB;
/** Garbage of small scripts need not be collected, because each call starts from the image. */
const COLLECTION_BYTES = 8 * MIB;
const MAX_SCRIPTS = 100;
const sandboxSource = (settings: GuestSettings): string =>
  `(${guest.toString()})(host, ${JSON.stringify(settings)})`;

/** Compiled code that each instance begins with. */
export interface InstanceCode {
  readonly module: WasmModule;
  readonly buffer: Uint8Array;
  readonly guest: Uint8Array;
}

/** Compiles the code that all instances share. */
export async function instanceCode(module: WasmModule, settings: GuestSettings): Promise<InstanceCode> {
  const machine = await QuickJS.create({ wasm: module });
  const compile = (source: string): Uint8Array =>
    machine.compile(
      source,
      'sandbox',
      EvalFlags.TYPE_GLOBAL,
      CompileFlags.STRIP_SOURCE | CompileFlags.STRIP_DEBUG,
    );
  const code = { module, buffer: compile(BUFFER_SOURCE), guest: compile(sandboxSource(settings)) };
  machine.dispose();
  return code;
}

/**
 * Virtual machine that runs the scripts of one version of a workflow. Each call starts from the same memory, so calls
 * see nothing of each other.
 */
export class ScriptInstance {
  private machine: QuickJS;
  private memory: InstanceMemory;
  private image: MemoryImage;
  private run: JSValueHandle;
  private readonly scripts = new Map<string, JSValueHandle>();
  private messages = new ConsoleMessages();
  private deadline = Infinity;
  private isInterrupted = false;
  private isBroken = false;

  private constructor() {}

  static async create(code: InstanceCode): Promise<ScriptInstance> {
    const instance = new ScriptInstance();
    await instance.start(code);
    return instance;
  }

  /** Whether the instance can run further calls. Otherwise it must be replaced. */
  get isUsable(): boolean {
    return (
      !this.isBroken &&
      this.scripts.size < MAX_SCRIPTS &&
      this.memory.buffer.byteLength + this.image.size <= MAX_KEPT_BYTES
    );
  }

  /** Runs a script until its end or its limits, of which the time is in milliseconds. Never throws. */
  call({ script, json, dates }: ScriptCall, timeMs: number): ScriptAnswer {
    this.messages = new ConsoleMessages();
    this.isInterrupted = false;
    this.deadline = performance.now() + timeMs;
    try {
      const body = this.scripts.get(script) ?? this.compile(script);
      const result = this.machine
        .callFunction(
          this.run,
          this.machine.undefined,
          body,
          this.machine.newString(json),
          this.machine.newString(dates),
        )
        .toString();
      return this.answerOf(result);
    } catch (error) {
      return { error: this.errorOf(error, timeMs), messages: this.messages.all };
    } finally {
      this.deadline = Infinity;
      this.image.restore(this.memory);
    }
  }

  private async start({ module, buffer, guest: guestCode }: InstanceCode): Promise<void> {
    const machine = await QuickJS.create({
      wasm: module,
      memoryLimit: HEAP_BYTES,
      maxStackSize: STACK_BYTES,
      timezoneOffset: 0,
      interruptHandler: () => (this.isInterrupted ||= performance.now() > this.deadline),
      wasi: (memory: InstanceMemory) => {
        this.memory = memory;
        return {};
      },
    });
    this.machine = machine;
    machine.gcThreshold = COLLECTION_BYTES;
    machine.evalBytecode(buffer).dispose();
    const host = machine.newObject();
    host.setProp(
      'log',
      machine.newFunction('log', (level, text) => this.log(level, text)),
    );
    host.setProp(
      'random',
      machine.newFunction('random', () => machine.newNumber(Math.random())),
    );
    machine.global.setProp('host', host);
    this.run = machine.evalBytecode(guestCode);
    // Constants are part of the image.
    void machine.undefined;
    machine.evalCode('delete globalThis.host').dispose();
    machine.evalCode(`new ArrayBuffer(${SPARE_BYTES})`).dispose();
    this.image = new MemoryImage(machine);
  }

  /** Adds a script to the image. Throws if it cannot be parsed. */
  private compile(script: string): JSValueHandle {
    const { machine } = this;
    const source = functionSource(script);
    // Reports the error of an invalid script with its line.
    machine.evalCode(source, SCRIPT_FILE, EvalFlags.COMPILE_ONLY);
    const bytecode = machine.compile(source, SCRIPT_FILE);
    // Leaves the memory of the parser out of the image.
    this.image.restore(this.memory);
    const body = machine.evalBytecode(bytecode);
    if (!body.isFunction || !isFunctionOf(script, body.toString())) {
      this.isBroken = true;
      throw new SyntaxError(UNBALANCED_ERROR.message);
    }
    this.image = new MemoryImage(machine);
    this.scripts.set(script, body);
    return body;
  }

  private log(level: JSValueHandle, text: JSValueHandle): JSValueHandle {
    this.messages.add(level.toString(), text.toString());
    return this.machine.undefined;
  }

  private answerOf(result: string): ScriptAnswer {
    const { all: messages } = this.messages;
    if (result === TOO_LARGE) return { isTooLarge: true, messages };
    if (!result.startsWith(ERROR)) return { json: result, messages };
    const { name, message, stack } = JSON.parse(result.slice(ERROR.length)) as Record<
      keyof ScriptError,
      string
    >;
    if (isOutOfMemory(name, message)) return { error: MEMORY_ERROR, messages };
    return { error: { name, message, stack: linesOf(stack) }, messages };
  }

  /** Returns the error of a call that did not return. The machine may be in any state. */
  private errorOf(error: unknown, timeMs: number): ScriptError {
    if (this.isInterrupted) {
      this.isBroken = true;
      return timeoutError(timeMs);
    }
    if (error instanceof JSException && error.name === 'SyntaxError')
      return { name: error.name, message: error.message, stack: linesOf(error.stack ?? '') };
    if (error instanceof SyntaxError) return { name: error.name, message: error.message, stack: [] };
    this.isBroken = true;
    if (error instanceof RangeError) return { name: 'RangeError', message: error.message, stack: [] };
    return MEMORY_ERROR;
  }
}

const isOutOfMemory = (name: string, message: string): boolean =>
  name === 'InternalError' && message === 'out of memory';
