import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeUser, uniqueName, type TestUser } from '../make/make.js';
import { suite } from '../setup/suite.js';

const modules = resolve(import.meta.dirname, '../../node_modules');
const tools = {
  'openapi-typescript': join(modules, 'openapi-typescript', 'bin', 'cli.js'),
  'swagger-typescript-api': join(modules, 'swagger-typescript-api', 'dist', 'cli.mjs'),
  oazapfts: join(modules, 'oazapfts', 'dist', 'cli.js'),
  'openapi-typescript-codegen': join(modules, 'openapi-typescript-codegen', 'bin', 'index.js'),
  'hey-api': join(modules, '@hey-api', 'openapi-ts', 'bin', 'run.js'),
  tsc: join(modules, 'typescript', 'bin', 'tsc'),
};

/** Code that users of openapi-fetch write with the types of openapi-typescript. */
const FETCH_PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];
const [, , baseUrl = '', email = '', password = '', name = ''] = process.argv;
const api = createClient<paths>({ baseUrl });

const signIn = await api.POST('/auth/user', { body: { email, password, requestedScopes: ['all.User'] } });
if (!signIn.data) throw new Error(signIn.error.message);
const { userId, token } = signIn.data;
api.use({ onRequest: ({ request }) => request.headers.set('Authorization', \`Bearer \${token}\`) });

const creation = await api.POST('/applications', {
  body: { name, globals: [{ key: 'region', json: '"eu"' }] },
});
if (!creation.data) throw new Error(creation.error.message);
const application: Schemas['Application'] = creation.data;
const path = { applicationId: application.id };

const list = await api.GET('/applications', {
  params: { query: { filter: name, sortField: 'creationDate', sortDirection: 'desc', perPage: 10 } },
});
const names: string[] | undefined = list.data?.items.map((item) => item.name);

const change = await api.PATCH('/applications/{applicationId}/globals', {
  params: { path },
  body: [{ key: 'region', json: null }, { key: 'site', json: '"north"' }],
});
const keys = change.data?.globals?.map(({ key }) => key);

const gone = await api.DELETE('/applications/{applicationId}', { params: { path } });
const deleted: true | undefined = gone.data?.success;
const missing = await api.GET('/applications/{applicationId}', { params: { path } });
const error: Schemas['ErrorResponse'] | undefined = missing.error;

console.log(JSON.stringify({ userId, ownerId: application.ownerId, names, keys, deleted, error }));

/** What must not compile. */
export const mistakes = [
  // @ts-expect-error A name is required.
  () => api.POST('/applications', { body: {} }),
  // @ts-expect-error There is no such field to sort by.
  () => api.GET('/applications', { params: { query: { sortField: 'colour' } } }),
  // @ts-expect-error There is no such scope.
  () => api.POST('/auth/user', { body: { email, password, requestedScopes: ['all.Things'] } }),
  // @ts-expect-error There is no such role.
  (): Schemas['Role'] => 'owner',
  // @ts-expect-error An application always has a name.
  (): Schemas['Application']['name'] => undefined,
];
`;

/** Code that users of the class of swagger-typescript-api write. */
const CLASS_PROGRAM = `
import { Api, Scope, type Application } from './api.js';

const [, , baseUrl = '', email = '', password = '', name = ''] = process.argv;
const api = new Api<string>({
  baseUrl,
  securityWorker: (token) => ({ headers: { Authorization: \`Bearer \${token}\` } }),
});

const signIn = await api.auth.authAuthenticateUser({ email, password, requestedScopes: [Scope.AllUser] });
api.setSecurityData(signIn.data.token);
const application: Application = (await api.applications.applicationsPost({ name })).data;
const list = await api.applications.applicationsGet({ filter: name });
const refusal = await api.applications
  .applicationsPost({ name: '' })
  .catch((response: { error: unknown }) => response);

console.log(JSON.stringify({ id: application.id, items: list.data.items, error: refusal.error }));
`;

/** Code that users of the functions of oazapfts write. */
const FUNCTIONS_PROGRAM = `
import * as api from './functions.js';

const [, , baseUrl = '', email = '', password = '', name = ''] = process.argv;
api.defaults.baseUrl = baseUrl;

const signIn = await api.authAuthenticateUser({ email, password, requestedScopes: ['all.User'] });
if (signIn.status !== 200) throw new Error(signIn.data.message);
api.defaults.headers = { Authorization: \`Bearer \${signIn.data.token}\` };

const creation = await api.applicationsPost({ name });
if (creation.status !== 201) throw new Error(creation.data.message);
const { id } = creation.data;
for (const site of ['north', 'south']) {
  const device = await api.devicesPost(id, { name: site, tags: [{ key: 'site', value: site }] });
  if (device.status !== 201) throw new Error(device.data.message);
}

const names = async (selection: { query?: string; tagFilter?: string }) => {
  const list = await api.devicesGet(id, selection);
  if (list.status !== 200) throw new Error(list.data.message);
  return list.data.items.map((device) => device.name);
};
const queried = await names({ query: JSON.stringify({ name: 'south' }) });
const tagged = await names({ tagFilter: JSON.stringify([{ key: 'site', value: 'north' }]) });

const refusal = await api.devicesGet(id, { query: '{' });
const error: api.ErrorResponse | undefined = refusal.status === 400 ? refusal.data : undefined;

console.log(JSON.stringify({ queried, tagged, error }));
`;

const { test } = suite();
let user: TestUser;
let folder: string;

beforeAll(async () => {
  user = await makeUser(test);
  // Inside `node_modules`, so that the programs resolve imports as a user's would.
  const cache = join(modules, '.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'clients-'));
  mkdirSync(join(folder, 'commonjs'));
  write('openapi.json', test.document);
  write('package.json', { type: 'module' });
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
  write('fetch-program.ts', FETCH_PROGRAM);
  write('class-program.ts', CLASS_PROGRAM);
  write('functions-program.ts', FUNCTIONS_PROGRAM);
  await run(tools['openapi-typescript'], 'openapi.json', '--output', 'schema.ts');
  await run(tools['swagger-typescript-api'], 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'api.ts');
  await run(tools.oazapfts, 'openapi.json', 'functions.ts');
  // These import without file extensions, as in CommonJS.
  write('commonjs/package.json', { type: 'commonjs' });
  await run(
    tools['openapi-typescript-codegen'],
    '-i',
    'openapi.json',
    '-o',
    'commonjs/codegen',
    '--useOptions',
  );
  await run(tools['hey-api'], '-i', './openapi.json', '-o', 'commonjs/hey', '-c', '@hey-api/client-fetch');
  await run(tools.tsc, '--project', '.');
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('clients generated from the document and compiled with --strict', () => {
  it('sign in, create, list, change and delete with openapi-fetch', async () => {
    const name = uniqueName('pumps');
    expect(await output('fetch-program.js', name)).toEqual({
      userId: user.id,
      ownerId: user.id,
      names: [name],
      keys: ['site'],
      deleted: true,
      error: { type: 'NotFound', message: 'Application was not found' },
    });
  });

  it('sign in, create and list with the class of swagger-typescript-api', async () => {
    const name = uniqueName('pumps');
    const { id, items, error } = await output('class-program.js', name);
    expect(items).toMatchObject([{ id, applicationId: id, name, ownerId: user.id }]);
    expect(error).toMatchObject({
      type: 'Validation',
      message: expect.stringMatching(/^application\.name /),
    });
  });

  it('sign in, create and list by query and tag with the functions of oazapfts', async () => {
    const { queried, tagged, error } = await output('functions-program.js', uniqueName('pumps'));
    expect({ queried, tagged }).toEqual({ queried: ['south'], tagged: ['north'] });
    expect(error).toMatchObject({ type: 'Validation', message: expect.stringContaining('query') });
  });
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

/** Runs a program with the user's credentials and returns its parsed output. */
async function output(program: string, name: string): Promise<any> {
  return JSON.parse(await run(program, test.client.url, user.email, user.password, name));
}
