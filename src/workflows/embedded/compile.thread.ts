import { parentPort } from 'node:worker_threads';
import {
  CompileError,
  INTERFACE_VERSION,
  type BundleContents,
  type CompiledBundle,
  type CompilerOptions,
} from './bundle.js';
import { compile } from './compile.js';

export interface CompileTask {
  bundle: BundleContents;
  options: CompilerOptions;
}

/** Result of a compilation: a module, or the reason why the bundle is invalid. */
export type CompileAnswer = { compiled: CompiledBundle; interfaceVersion: string } | { refused: string };

async function answer({ bundle, options }: CompileTask): Promise<CompileAnswer> {
  try {
    return { compiled: await compile(bundle, options), interfaceVersion: INTERFACE_VERSION };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { refused: error.message };
  }
}

// An unhandled rejection ends the thread, which reports the failure to the caller.
parentPort!.on('message', (task: CompileTask) => {
  void answer(task).then((message) => parentPort!.postMessage(message));
});
