import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// As in tsconfig.build.json; bench, demo and faults import helpers from test.
const FOLDERS = ['src', 'bench', 'demo', 'faults', 'test'];
/** AssemblyScript, which the platform compiles for devices, and files for browsers are copied unchanged. */
const ASSETS = assetsOf(new URL('../nest-cli.json', import.meta.url));
/** Few enough open files for the limit on macOS. */
const CONCURRENCY = 16;

/**
 * Compiles the TypeScript files of `root` into `output` without a type check. Compiles only files that changed: each
 * compiled file has the modification time of its source. Removes compiled files whose source no longer exists.
 * Calls `announce` with the number of files if there are any to compile, and returns that number.
 */
export async function compile({ root = '.', output, announce = () => undefined }) {
  const sources = sourcesOf(root);
  removeStale(output, sources);
  const stamp = join(output, '.compiler');
  const compiler = compilerVersion();
  const isSameCompiler = existsSync(stamp) && readFileSync(stamp, 'utf8') === compiler;
  const isCurrent = (source) =>
    isSameCompiler && modified(join(output, compiledName(source))) === modified(join(root, source));
  const changed = sources.filter((source) => !isCurrent(source));
  if (changed.length === 0) return 0;
  announce(changed.length);
  const { transpile } = await import('./transpile.js');
  const queue = changed.values();
  const work = async () => {
    for (const source of queue) await compileFile(transpile, root, output, source);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  writeFileSync(stamp, compiler);
  return changed.length;
}

function sourcesOf(root) {
  const inFolders = FOLDERS.flatMap((folder) => filesIn(root, folder)).filter(
    (file) => isAsset(file) || /(?<!\.d|[.-]spec|\.samples|\.published)\.ts$/.test(file),
  );
  return existsSync(join(root, 'ormconfig.ts')) ? [...inFolders, 'ormconfig.ts'] : inFolders;
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Returns the patterns of the assets that nest-cli.json lists, relative to the root. */
function assetsOf(file) {
  const { sourceRoot, compilerOptions } = JSON.parse(readFileSync(file, 'utf8'));
  return compilerOptions.assets.map(({ include }) => {
    const pattern = include
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(.+/)?')
      .replaceAll(/(?<!\.)\*/g, '[^/]*');
    return new RegExp(`^${sourceRoot}/${pattern}$`);
  });
}

const isAsset = (source) => ASSETS.some((pattern) => pattern.test(source.replaceAll('\\', '/')));

const compiledName = (source) => (isAsset(source) ? source : source.replace(/\.ts$/, '.js'));

function removeStale(output, sources) {
  const expected = new Set(sources.map(compiledName));
  for (const file of FOLDERS.flatMap((folder) => filesIn(output, folder)))
    // Files with other names belong to a process that compiles at the same time.
    if (/\.(ts|js|js\.map|css|html)$/.test(file) && !expected.has(file.replace(/\.map$/, '')))
      rmSync(join(output, file), { force: true });
}

async function compileFile(transpile, root, output, source) {
  const from = join(root, source);
  const to = join(output, compiledName(source));
  const { mtime } = statSync(from);
  await mkdir(dirname(to), { recursive: true });
  if (isAsset(source)) return replace(to, await readFile(from), mtime);
  const sourceFileName = relative(dirname(to), from).replaceAll('\\', '/');
  const { code, map } = await transpile(from, { sourceMaps: true, sourceFileName });
  await replace(`${to}.map`, map, mtime);
  await replace(to, `${code}//# sourceMappingURL=${to.split(/[\\/]/).at(-1)}.map`, mtime);
}

/** Replaces the file at once: another process may be reading it. */
async function replace(file, content, mtime) {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, content);
  await utimes(temporary, mtime, mtime);
  await rename(temporary, file);
}

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtime.getTime();

/** Changes when swc or its options change, after which every file has to be compiled again. */
function compilerVersion() {
  const { devDependencies } = createRequire(import.meta.url)('../package.json');
  return `${devDependencies['@swc/core']}\n${readFileSync(new URL('./transpile.js', import.meta.url), 'utf8')}`;
}

// Progress goes to standard error: standard output belongs to the program that runs next.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const start = performance.now();
  const announce = (count) =>
    process.stderr.write(`Compiling ${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}… `);
  try {
    if (await compile({ output: 'dist', announce }))
      console.error(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    else console.error('Compiled files are up to date.');
  } catch (error) {
    // Without the stack of swc itself.
    console.error(`failed\n${error.message.split('\n\nCaused by:')[0]}`);
    process.exitCode = 1;
  }
}
