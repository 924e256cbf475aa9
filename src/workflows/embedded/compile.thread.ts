import { parentPort } from 'node:worker_threads';
import {
  CompileError,
  INTERFACE_VERSION,
  type Bundle,
  type CompiledBundle,
  type CompilerOptions,
} from './bundle.js';
import { compile } from './compile.js';

export interface CompileTask {
  bundle: Bundle;
  options: CompilerOptions;
}

/** What came of it: a module, or why the bundle does not compile. */
export type CompileAnswer = { compiled: CompiledBundle; interfaceVersion: string } | { refused: string };

async function answer({ bundle, options }: CompileTask): Promise<CompileAnswer> {
  try {
    return { compiled: await compile(bundle, options), interfaceVersion: INTERFACE_VERSION };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { refused: error.message };
  }
}

// What is thrown ends the thread, which is how whoever waits hears of it.
parentPort!.on('message', (task: CompileTask) => {
  void answer(task).then((message) => parentPort!.postMessage(message));
});
