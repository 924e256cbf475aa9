import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeUser, uniqueName, type TestUser } from '../make/make.js';
import { suite } from '../setup/suite.js';

const modules = resolve(import.meta.dirname, '../../node_modules');
const tsc = join(modules, 'typescript', 'bin', 'tsc');

/** Scripts of the generators, with their arguments. */
const GENERATORS: readonly (readonly [script: string, ...args: string[]])[] = [
  ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts', '--default-non-nullable=false'],
  ['swagger-typescript-api/dist/cli.mjs', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'api.ts'],
  ['oazapfts/dist/cli.js', 'openapi.json', 'functions.ts'],
  ['openapi-typescript-codegen/bin/index.js', '-i', 'openapi.json', '-o', 'commonjs/codegen', '--useOptions'],
  ['@hey-api/openapi-ts/bin/run.js', '-i', './openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch'],
];

/** Programs in `test/suites/clients` that use a generated client, as their authors would. */
const PROGRAMS = [
  'openapi-fetch',
  'swagger-typescript-api',
  'oazapfts',
  'commonjs/openapi-typescript-codegen',
  'hey-api',
];

const { test } = suite();
let user: TestUser;
let folder: string;

beforeAll(async () => {
  user = await makeUser(test);
  // Inside `node_modules`, so that the programs resolve imports as a user's would.
  const cache = join(modules, '.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'clients-'));
  cpSync(join(import.meta.dirname, 'clients'), folder, { recursive: true });
  cpSync(join(folder, 'scenario.ts'), join(folder, 'commonjs', 'scenario.ts'));
  write('openapi.json', test.document);
  write('package.json', { type: 'module' });
  // Imports without file extensions, as openapi-typescript-codegen writes them, need CommonJS.
  write('commonjs/package.json', { type: 'commonjs' });
  write('tsconfig.json', {
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: ['node'],
      skipLibCheck: true,
    },
  });
  for (const [script, ...args] of GENERATORS) await run(join(modules, script), ...args);
  await run(tsc, '--project', '.');
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('clients generated from the document and compiled with --strict', () => {
  it.each(PROGRAMS)(
    'sign in, create, change, list, upload, export and delete: %s',
    async (program) => {
      const name = uniqueName('pumps');
      const { url } = test.client;
      expect(JSON.parse(await run(`${program}.js`, url, user.email, user.password, name))).toEqual({
        isOwner: true,
        globals: ['site'],
        queried: ['south'],
        tagged: ['north'],
        uploaded: ['completed', 'text/csv', 'time,pressure\n1,2.5\n'],
        exported: ['devices.export', 'completed'],
        deleted: { success: true },
        error: { type: 'NotFound', message: 'Application was not found' },
      });
    },
    120_000,
  );
});

function write(name: string, content: string | object): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

/** Runs a Node script in the folder; the error contains its complete output if it fails. */
async function run(script: string, ...args: string[]): Promise<string> {
  // The options of this process are meant for Jest.
  const { NODE_OPTIONS: _options, ...env } = process.env;
  try {
    return (await promisify(execFile)(process.execPath, [script, ...args], { cwd: folder, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
