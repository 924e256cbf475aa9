import type { WasmModule } from './quickjs-module.js';
import {
  CompileFlags,
  EvalFlags,
  JSException,
  QuickJS,
  type JSValueHandle,
  type Snapshot,
} from 'quickjs-wasi';
import { BUFFER_SOURCE } from './guest-buffer.js';
import { ERROR, guest, TOO_LARGE, type GuestSettings, type HostFunctions } from './guest.js';
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
const HOST_FUNCTIONS = ['log', 'random'] as const satisfies readonly (keyof HostFunctions)[];
const sandboxSource = (settings: GuestSettings): string =>
  `(${guest.toString()})(host, ${JSON.stringify(settings)})`;

/** Virtual machine before its first script, which all instances are copies of. */
export interface InstanceTemplate {
  readonly snapshot: Snapshot;
  /** Token of the `GuestRun` in the snapshot. */
  readonly run: number;
}

/** When the engine ends a call. */
export interface CallLimit {
  /** The limit as errors name it. */
  readonly timeMs: number;
  /** Asked again and again during the call, at the latest after 4,096 loops of the engine. */
  isSpent(): boolean;
}

const machineOptions = (wasm: WasmModule) => ({
  wasm,
  memoryLimit: HEAP_BYTES,
  maxStackSize: STACK_BYTES,
  timezoneOffset: 0,
});

/** Makes the template of instances. Takes some 50 ms. */
export async function instanceTemplate(
  module: WasmModule,
  settings: GuestSettings,
): Promise<InstanceTemplate> {
  const machine = await QuickJS.create(machineOptions(module));
  machine.gcThreshold = COLLECTION_BYTES;
  const [buffer, sandbox] = await codeOf(module, [BUFFER_SOURCE, sandboxSource(settings)]);
  machine.evalBytecode(buffer!).dispose();
  const host = machine.newObject();
  // Instances have functions of these names.
  for (const name of HOST_FUNCTIONS)
    host.setProp(
      name,
      machine.newFunction(name, () => machine.undefined),
    );
  machine.global.setProp('host', host);
  const run = machine.evalBytecode(sandbox!);
  // Constants are part of the image.
  void machine.undefined;
  machine.evalCode('delete globalThis.host').dispose();
  const template = { snapshot: machine.snapshot(), run: machine.exportHandle(run) };
  machine.dispose();
  return template;
}

/** Compiles sources in a machine of its own, which leaves the memory of the parser out of the template. */
async function codeOf(wasm: WasmModule, sources: readonly string[]): Promise<Uint8Array[]> {
  const machine = await QuickJS.create({ wasm });
  const flags = CompileFlags.STRIP_SOURCE | CompileFlags.STRIP_DEBUG;
  const code = sources.map((source) => machine.compile(source, 'sandbox', EvalFlags.TYPE_GLOBAL, flags));
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
  private stackPointer: number;
  private limit?: CallLimit;
  private isInterrupted = false;
  /** Whether a call has left the machine in an unknown state. */
  isBroken = false;

  private constructor() {}

  static async create(module: WasmModule, template: InstanceTemplate): Promise<ScriptInstance> {
    const instance = new ScriptInstance();
    await instance.start(module, template);
    return instance;
  }

  /** Whether the instance can run further calls. Otherwise it must be replaced. */
  get isUsable(): boolean {
    return !this.isBroken && !this.isLarge && this.scripts.size < MAX_SCRIPTS;
  }

  /** Whether a call needed much memory, which the instance keeps. */
  get isLarge(): boolean {
    return this.memory.buffer.byteLength + this.image.size > MAX_KEPT_BYTES;
  }

  /** Runs a script until its end or its limits. Never throws. */
  call({ script, text }: ScriptCall, limit: CallLimit): ScriptAnswer {
    this.messages = new ConsoleMessages();
    this.limit = limit;
    try {
      const body = this.scripts.get(script) ?? this.compile(script);
      const { machine } = this;
      const result = machine
        .callFunction(this.run, machine.undefined, body, machine.newString(text))
        .toString();
      return this.answerOf(result);
    } catch (error) {
      return { error: this.errorOf(error, limit), messages: this.messages.all };
    } finally {
      this.limit = undefined;
      this.image.restore(this.memory);
    }
  }

  private async start(module: WasmModule, { snapshot, run }: InstanceTemplate): Promise<void> {
    const machine = await QuickJS.restore(snapshot, {
      ...machineOptions(module),
      interruptHandler: () => this.interrupt(),
      wasi: (memory: InstanceMemory) => {
        this.memory = memory;
        return {};
      },
    });
    this.machine = machine;
    this.stackPointer = snapshot.stackPointer;
    machine.registerHostCallback('log', (level, text) => this.whole(() => this.log(level, text)));
    machine.registerHostCallback('random', () => this.whole(() => machine.newNumber(Math.random())));
    this.run = machine.importHandle(run);
    // Constants are part of the image.
    void machine.undefined;
    machine.evalCode(`new ArrayBuffer(${SPARE_BYTES})`).dispose();
    this.image = this.takeImage();
  }

  private takeImage(): MemoryImage {
    return new MemoryImage(this.memory, this.stackPointer);
  }

  /** Ends the call by an exception, because most code of the engine does not ask for the result. */
  private interrupt(): boolean {
    if (!this.limit?.isSpent()) return false;
    this.isInterrupted = true;
    throw new Error('Interrupted');
  }

  /** Does short work of the host without an interruption, because the script could catch what a host function throws. */
  private whole<T>(work: () => T): T {
    const { limit } = this;
    this.limit = undefined;
    try {
      return work();
    } finally {
      this.limit = limit;
    }
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
    this.image = this.takeImage();
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
  private errorOf(error: unknown, { timeMs }: CallLimit): ScriptError {
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
