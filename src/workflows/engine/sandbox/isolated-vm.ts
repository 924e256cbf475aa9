import { createRequire } from 'node:module';

/** The parts of the optional package `isolated-vm` that are used. Its own types are missing if it is not installed. */
export interface IsolatedVm {
  readonly Isolate: new (options: { memoryLimit: number; onCatastrophicError: () => void }) => Isolate;
  readonly Callback: new (call: (level: string, text: string) => void) => object;
}

/** Virtual machine with a heap of its own. */
export interface Isolate {
  readonly isDisposed: boolean;
  compileScript(source: string, options?: { filename: string }): Promise<Script>;
  createContext(): Promise<Context>;
  getHeapStatistics(): Promise<{ used_heap_size: number; externally_allocated_size: number }>;
  dispose(): void;
}

/** Global object with built-in objects of its own. */
export interface Context {
  /** Runs the body of a function with the parameters `$0`, `$1` and so on. */
  evalClosure(source: string, args: readonly unknown[], options: RunOptions): Promise<unknown>;
  release(): void;
}

export interface Script {
  run(context: Context, options: RunOptions): Promise<Reference>;
}

/** A value in an isolate. */
export interface Reference {
  apply(receiver: undefined, args: readonly unknown[], options: RunOptions): Promise<unknown>;
  derefInto(): unknown;
}

interface RunOptions {
  /** Milliseconds. */
  readonly timeout: number;
  readonly reference?: true;
  readonly result?: { readonly reference?: true; readonly copy?: true };
}

/** Returns the package, or `undefined` if it is not installed or has no binary for this Node.js. */
export function isolatedVm(): IsolatedVm | undefined {
  try {
    return createRequire(import.meta.url)('isolated-vm') as IsolatedVm;
  } catch {
    return undefined;
  }
}
