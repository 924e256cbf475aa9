import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SERVER_FLAGS } from '../setup/server-flags.js';

/** Sources of all `COPY` from the context, in the order of the Dockerfile. */
const sourcesOf = (dockerfile: string): string[] =>
  [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));

describe('the image', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const allowed = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+/gm)!;

  it('copies only what .dockerignore admits', () => {
    expect(sourcesOf(dockerfile).filter((source) => !allowed.includes(source))).toEqual([]);
  });

  it('and all images of the composition are pinned by digest', () => {
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name!);
    const images = [
      ...`${dockerfile}\n${readFileSync('compose.yaml', 'utf8')}`.matchAll(/(?:^FROM| image:) (\S+)/gm),
    ];
    const own = [...stages, 'fieldwright', 'fieldwright-api'];
    const others = images.map(([, image]) => image!).filter((image) => !own.includes(image));
    expect(others).toHaveLength(5);
    for (const image of others) expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('starts Node with the flags of `npm start`', () => {
    const command = /^CMD (\[.*\/main\.js"\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect(SERVER_FLAGS).not.toEqual([]);
    expect(JSON.parse(command)).toEqual(['node', ...SERVER_FLAGS, 'dist/src/main.js']);
  });

  it('compiles from the files that its first stage copies', () => {
    const stage = dockerfile.slice(0, dockerfile.indexOf('RUN npm run build'));
    // One folder of `src` is enough.
    for (const source of sourcesOf(stage))
      cpSync(source === 'src' ? 'src/lib/errors' : source, join(folder, source), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['scripts/compile.js'], { cwd: folder, stdio: 'pipe' });
    expect(existsSync(join(folder, 'dist/src/errors.js'))).toBe(true);
  });
});
