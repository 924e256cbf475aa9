import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCE = 'src';

/**
 * Imports what families keep beside their code for suites over the whole API, in order of their paths:
 * `<name>.samples.ts` (bodies and rows of their operations) and `<name>.published.ts` (calls of the published client).
 */
export async function familyFiles<T>(kind: 'samples' | 'published'): Promise<T[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(`.${kind}.ts`))
    .sort();
  return Promise.all(files.map((file) => import(pathToFileURL(join(SOURCE, file)).href) as Promise<T>));
}
