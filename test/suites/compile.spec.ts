import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile } from '../../scripts/compile.js';

describe('compile', () => {
  let root: string;
  let output: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const run = () => compile({ root, output });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'compile-'));
    output = join(root, 'dist');
    write('src/a.ts', 'export const a: number = 1;\n');
    write('src/b.ts', 'export const b: number = 2;\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('writes JavaScript with a source map, but not for tests', async () => {
    write('src/a.spec.ts', 'export {};\n');
    expect(await run()).toBe(2);
    expect(readFileSync(join(output, 'src/a.js'), 'utf8')).toBe(
      'export const a = 1;\n//# sourceMappingURL=a.js.map',
    );
    const map = JSON.parse(readFileSync(join(output, 'src/a.js.map'), 'utf8')) as { sources: string[] };
    expect(map.sources).toEqual(['../../src/a.ts']);
  });

  it('emits the types that decorators read, and assigns fields after the constructor parameters', async () => {
    write(
      'src/a.ts',
      'export class A { @field name: string; size = this.given; constructor(private given: number) {} }',
    );
    await run();
    const code = readFileSync(join(output, 'src/a.js'), 'utf8');
    expect(code).toContain('_ts_metadata("design:type", String)');
    expect(code).toMatch(/this\.given = given[^]*this\.size = this\.given/);
    expect(code).not.toMatch(/^\s*name;/m);
  });

  it('compiles only files that changed', async () => {
    await run();
    expect(await run()).toBe(0);
    const { ino } = statSync(join(output, 'src/b.js'));
    rmSync(join(root, 'src/a.ts'));
    write('src/a.ts', 'export const a: number = 3;\n');
    expect(await run()).toBe(1);
    expect(readFileSync(join(output, 'src/a.js'), 'utf8')).toContain('a = 3');
    expect(statSync(join(output, 'src/b.js')).ino).toBe(ino);
  });

  it('copies files for browsers unchanged, and removes them with their source', async () => {
    const files = ['page.js', 'page.css', 'index.html'].map((name) => `src/openapi/page/${name}`);
    for (const file of files) write(file, file);
    await run();
    expect(files.map((file) => readFileSync(join(output, file), 'utf8'))).toEqual(files);
    for (const file of files) rmSync(join(root, file));
    await run();
    expect(files.filter((file) => existsSync(join(output, file)))).toEqual([]);
  });

  it('removes what was compiled from files that no longer exist', async () => {
    await run();
    rmSync(join(root, 'src/b.ts'));
    await run();
    expect(['b.js', 'b.js.map', 'a.js'].map((file) => existsSync(join(output, 'src', file)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('compiles every file again when another compiler wrote them', async () => {
    await run();
    writeFileSync(join(output, '.compiler'), 'another');
    expect(await run()).toBe(2);
  });

  it('copies AssemblyScript as it is', async () => {
    const file = 'src/workflows/embedded/runtime/index.ts';
    write(file, 'export const a: i32 = 1;\n');
    await run();
    expect(readFileSync(join(output, file), 'utf8')).toBe('export const a: i32 = 1;\n');
  });
});
