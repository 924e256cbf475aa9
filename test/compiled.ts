import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

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
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['--noCheck', '--incremental', 'false', '--outDir', join(folder, 'dist')];
  await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...options]);
  return {
    program: (source) => join(folder, 'dist', `${source}.js`),
    remove: () => rm(folder, { recursive: true }),
  };
}
