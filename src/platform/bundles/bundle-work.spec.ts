import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BundleWork } from './bundle-work.js';

const { signal } = new AbortController();
const order = { ownerId: 'a', signal };
let work: BundleWork;
beforeEach(() => (work = new BundleWork()));
afterEach(() => work.onModuleDestroy());
const read = (...texts: string[]) =>
  work.readYaml({ at: 'a.yaml', texts: texts.map((text) => ({ text, line: 3 })), maxDepth: 64 }, order);

describe('BundleWork', () => {
  it('reads the texts of a file', async () => {
    expect(await read('a: [1, x]', '- &b {c: null}\n- *b', '')).toEqual([
      { a: [1, 'x'] },
      [{ c: null }, { c: null }],
      null,
    ]);
  });

  it('names the file and the line of content that is invalid', async () => {
    await expect(read('a: 1', 'a: [')).rejects.toMatchObject({
      status: 400,
      message: 'a.yaml is not valid YAML at line 3',
    });
  });

  it('writes resources and texts with placeholders', async () => {
    const placeholders = [['token', '~exportplaceholderid-webhookToken-a~']] as const;
    const text = JSON.stringify({ name: 'my token', id: 'x' });
    expect(await work.writeYaml({ text, placeholders, indent: 2 }, 'a.yaml', order)).toMatch(
      /^ {2}- name: my ~exportplaceholderid-webhookToken-a~\n {4}id: x\n {4}exportHash: [\da-f]{64}\n$/,
    );
    expect(await work.replaceTexts({ text: 'a token', placeholders }, 'a.md', order)).toBe(
      'a ~exportplaceholderid-webhookToken-a~',
    );
  });

  it('returns faults of repositories', async () => {
    const task = { pack: fileURLToPath(import.meta.url), commit: 'a', directory: [], zip: '/none' };
    await expect(work.checkOut(task, order)).rejects.toMatchObject({
      place: 'access',
      message: 'leads to a repository whose objects are damaged',
    });
  });

  it('refuses further tasks of an owner who has many waiting, and none of others', async () => {
    const tasks = Array.from({ length: 30 }, () =>
      read('a: 1').catch((error: { status: number }) => error.status),
    );
    const other = work.readYaml(
      { at: 'b.yaml', texts: [{ text: 'b', line: 1 }], maxDepth: 1 },
      { ...order, ownerId: 'b' },
    );
    expect(await other).toEqual(['b']);
    const answers = await Promise.all(tasks);
    expect(answers.filter((answer) => answer === 429)).toHaveLength(12);
  });
});

describe('Code that parses contents of callers', () => {
  const source = join(import.meta.dirname, '../..');
  const PARSERS = [
    ...['platform/bundles/yaml-values.ts', 'platform/bundles/yaml-tokens.ts'],
    ...['pack-reader', 'tree-files', 'new-trees', 'delta'].map((name) => `lib/git/${name}.ts`),
  ];
  const TASKS = [
    ...['bundle-work.thread', 'bundle-tasks', 'repository-tasks'].map(
      (name) => `platform/bundles/${name}.ts`,
    ),
    ...['certificate-work.thread', 'certificate-tasks'].map((name) => `platform/certificates/${name}.ts`),
  ];

  it('is imported by the tasks of the processes only', async () => {
    const hidden = new Set([...PARSERS, ...TASKS]);
    const files = await readdir(source, { recursive: true });
    const others = files.filter((name) => /(?<!spec)\.ts$/.test(name) && !hidden.has(name));
    for (const name of others) {
      const text = await readFile(join(source, name), 'utf8');
      const imported = [...text.matchAll(/^(?:import|export) (?!type)[^;]*? from '(\.[^']+)\.js';/gm)].map(
        ([, path]) => join(dirname(name), `${path}.ts`),
      );
      expect({ name, parsers: imported.filter((path) => hidden.has(path)) }).toEqual({ name, parsers: [] });
    }
  });
});
