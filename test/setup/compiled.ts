import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transpile } from '../runner/transpile.js';

/** The platform as it runs outside tests, for suites that start it as a process of its own. */
export interface CompiledPlatform {
  /** Location of a compiled source file: `src/main` is `….js`. */
  program(source: string): string;
  remove(): Promise<void>;
}

/** Compiles the platform into a separate folder, so a platform that runs from `dist` is not affected. */
export async function compilePlatform(): Promise<CompiledPlatform> {
  await mkdir('dist', { recursive: true });
  const folder = await mkdtemp(resolve('dist', 'test-'));
  await copyFile('package.json', join(folder, 'package.json'));
  const program = (source: string) => join(folder, 'dist', `${source}.js`);
  const files = await readdir('src', { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts'));
  await Promise.all(
    sources.map(async (file) => {
      const source = join('src', file);
      const compiled = program(source.replace(/\.ts$/, ''));
      await mkdir(dirname(compiled), { recursive: true });
      await writeFile(compiled, await transpile(source));
    }),
  );
  return { program, remove: () => rm(folder, { recursive: true }) };
}
