import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compile } from '../../scripts/compile.js';

/** The compiled platform, for suites that start it as a separate process. */
export interface CompiledPlatform {
  /** Returns the compiled file of a source file, such as `src/main`. */
  program(source: string): string;
  remove(): Promise<void>;
}

/** Compiles the platform into a separate folder, so a platform that runs from `dist` is not affected. */
export async function compilePlatform(): Promise<CompiledPlatform> {
  await mkdir('dist', { recursive: true });
  const folder = await mkdtemp(resolve('dist', 'test-'));
  await copyFile('package.json', join(folder, 'package.json'));
  const output = join(folder, 'dist');
  await compile({ output });
  return { program: (source) => join(output, `${source}.js`), remove: () => rm(folder, { recursive: true }) };
}
