import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const FOLDER = 'src/migrations';

/** The timestamp of a new migration: now, or later if a migration in `files` is newer, because migrations run in this order. */
export function nextTimestamp(files, now = Date.now()) {
  return Math.max(now, ...files.map((file) => Number(/^\d{13}(?=-)/.exec(file)?.[0] ?? 0) + 1));
}

/** The text of src/migrations/index.ts with a migration at the end. */
export function register(index, className, file) {
  return index
    .replace('\n\n', `\nimport { ${className} } from './${file.replace(/\.ts$/, '.js')}';\n\n`)
    .replace('\n];', `\n  ${className},\n];`);
}

/** Creates a migration with TypeORM's command, formats it and registers it. */
async function create(command, name, options) {
  const timestamp = nextTimestamp(readdirSync(FOLDER));
  const typeorm = ['node_modules/typeorm/cli.js', command, '--timestamp', timestamp, ...options];
  const { status } = spawnSync(process.execPath, [...typeorm, join(FOLDER, name)], { stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  const file = `${timestamp}-${name}.ts`;
  const source = readFileSync(join(FOLDER, file), 'utf8');
  const [, className] = /export class (\w+)/.exec(source);
  await writeFormatted(join(FOLDER, file), source.replace('import {', 'import type {'));
  const index = join(FOLDER, 'index.ts');
  await writeFormatted(index, register(readFileSync(index, 'utf8'), className, file));
  return 0;
}

async function writeFormatted(file, text) {
  writeFileSync(
    file,
    await prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, ...options] = process.argv.slice(2);
  const name = basename(options.pop() ?? '');
  if (!/^[A-Z]\w*$/.test(name)) {
    console.error('Give the name of the migration in PascalCase, such as Notes.');
    process.exit(1);
  }
  process.exitCode = await create(command, name, options);
}
