import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compile } from '../scripts/compile.js';

/** The platform as it runs outside tests, for suites that start it as a process of its own. */
export interface CompiledPlatform {
  /** Where a source file was compiled to: `src/main` is `….js`. */
  program(source: string): string;
  remove(): Promise<void>;
}

/** Compiles the platform into a folder of its own; a platform that runs from `dist` meanwhile is left alone. */
export async function compilePlatform(): Promise<CompiledPlatform> {
  await mkdir('dist', { recursive: true });
  const folder = await mkdtemp(resolve('dist', 'test-'));
  await copyFile('package.json', join(folder, 'package.json'));
  const output = join(folder, 'dist');
  await compile({ output });
  return { program: (source) => join(output, `${source}.js`), remove: () => rm(folder, { recursive: true }) };
}
