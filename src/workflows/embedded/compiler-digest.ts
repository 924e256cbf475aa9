import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sources that affect the output for a given bundle and options. */
const FOLDERS = ['../embedded', '../graph', '../language', '../nodes', '../triggers'];
const SOURCE = /(?<!\.d|spec)\.[jt]s$/;

let cachedDigest: string | undefined;

/**
 * Identifies the compiler, so that modules of another version are compiled again: a digest of its source files and the
 * version of AssemblyScript.
 */
export function compilerDigest(): string {
  return (cachedDigest ??= computeDigest());
}

function computeDigest(): string {
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json') as { version: string };
  const hash = createHash('sha256').update(version);
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(folder, import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      SOURCE.test(file),
    );
    for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
