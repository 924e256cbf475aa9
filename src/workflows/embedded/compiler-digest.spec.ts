import { createRequire } from 'node:module';
import { packageFile } from '../../lib/files/package-file.js';
import { isCompilerInstalled } from './compiler-digest.js';

describe('The compiler', () => {
  it('is installed in the version that the package file pins', () => {
    expect(isCompilerInstalled()).toBe(true);
    const installed = createRequire(import.meta.url)('assemblyscript/package.json') as { version: string };
    expect(packageFile.dependencies.assemblyscript).toBe(installed.version);
  });
});
