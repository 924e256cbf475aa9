import { readFileSync } from 'node:fs';

const path = import.meta.url.includes('/dist/') ? '../../../../package.json' : '../../../package.json';

/** The platform's own package file. */
export const packageFile = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};
