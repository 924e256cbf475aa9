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

/** The source of a migration that also creates these counters and counts the rows that exist. */
export function withCounters(source, counters) {
  if (counters.length === 0) return source;
  const declared = `import { counterName, countTriggers, recordDeltasSql, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows[] = ${JSON.stringify(counters)};
`;
  const created = `
    for (const statement of COUNTED.flatMap((rows) => [...countTriggers(rows), recordDeltasSql(rows)]))
      await queryRunner.query(statement);`;
  const dropped = `
    for (const rows of COUNTED) await queryRunner.query(\`DROP FUNCTION \${counterName(rows)} CASCADE\`);`;
  return source
    .replace(/(?=\nexport class)/, () => declared)
    .replace(/(?=\n\s*\}\s*public async down)/, () => created)
    .replace(/(?<=public async down\(.*\{)/, () => dropped);
}

/** The counters that the families declare and the database lacks. TypeORM knows no triggers. */
async function counters() {
  const { default: dataSource } = await import('../dist/ormconfig.js');
  const { countedRows } = await import('../dist/src/families.js');
  const { missingCounters } = await import('../dist/src/platform/counts/missing-counters.js');
  await dataSource.initialize();
  return missingCounters(dataSource, countedRows).finally(() => dataSource.destroy());
}

/** Creates a migration with TypeORM's command, formats it and registers it. */
async function create(command, name, options) {
  const timestamp = nextTimestamp(readdirSync(FOLDER));
  const typeorm = (...words) =>
    spawnSync(
      process.execPath,
      ['node_modules/typeorm/cli.js', ...words, '--timestamp', timestamp, join(FOLDER, name)],
      { stdio: 'inherit' },
    ).status;
  const missing = command === 'migration:generate' ? await counters() : [];
  let status = typeorm(command, ...options);
  // TypeORM fails if the tables need no change.
  if (status !== 0 && missing.length > 0) status = typeorm('migration:create');
  if (status !== 0) return status ?? 1;
  const file = `${timestamp}-${name}.ts`;
  const source = readFileSync(join(FOLDER, file), 'utf8');
  const [, className] = /export class (\w+)/.exec(source);
  await writeFormatted(
    join(FOLDER, file),
    withCounters(source.replace('import {', 'import type {'), missing),
  );
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
