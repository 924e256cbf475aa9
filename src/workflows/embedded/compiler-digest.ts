import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../lib/files/package-file.js';

/** Sources that affect the output for a given bundle and options. */
const FOLDERS = ['../embedded', '../graph', '../language', '../nodes', '../triggers'];
const SOURCE = /(?<!\.d|spec)\.[jt]s$/;

let cachedDigest: string | undefined;

/**
 * Identifies the compiler, so that modules of another version are compiled again: a digest of its source files and the
 * version of AssemblyScript, which is pinned, because API processes know it without the compiler.
 */
export function compilerDigest(): string {
  return (cachedDigest ??= computeDigest());
}

/** Whether the compiler is installed. Images of API processes do without it. */
export function isCompilerInstalled(): boolean {
  try {
    return createRequire(import.meta.url).resolve('assemblyscript/package.json') !== '';
  } catch {
    return false;
  }
}

function computeDigest(): string {
  const hash = createHash('sha256').update(packageFile.dependencies.assemblyscript!);
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(folder, import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      SOURCE.test(file),
    );
    for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
