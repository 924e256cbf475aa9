import { readdir, readFile, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.js';

const POLL_INTERVAL_MS = 250;
const TIMEOUT_MS = 60_000;
/** Folder of incomplete uploads. */
const PARTIAL = '~partial';
/** Folders in which jobs create working directories. */
const WORK = ['imports', 'commits'];

/** Rows that must not remain, with statements that count them. */
const LEFTOVER_QUERIES: Readonly<Record<string, string>> = {
  'imports logged as in progress': `SELECT count(*) FROM application_imports WHERE status IN ('queued', 'inProgress')`,
  'owners that cannot import': `SELECT count(*) FROM import_turns t LEFT JOIN jobs j ON j.id = t.job_id
     WHERE j.status IN ('queued', 'inProgress') OR t.job_id IS NULL AND t.ends_at > now() + interval '5 minutes'`,
  'row tables without a data table': `SELECT count(*) FROM pg_tables p WHERE schemaname = 'data_tables'
     AND NOT EXISTS (SELECT FROM data_tables t WHERE 't_' || t.id = p.tablename)`,
  'data tables without a row table': `SELECT count(*) FROM data_tables t
     WHERE NOT EXISTS (SELECT FROM pg_tables p WHERE schemaname = 'data_tables' AND 't_' || t.id = p.tablename)`,
  'modules waiting for a compiler': `SELECT count(*) FROM embedded_modules WHERE status = 'wanted'`,
  'modules without blobs': `SELECT count(*) FROM embedded_modules WHERE status = 'ready' AND content IS NULL`,
  'temporary tables': `SELECT count(*) FROM pg_class WHERE relpersistence = 't'`,
  'abandoned transactions': `SELECT count(*) FROM pg_stat_activity
     WHERE state LIKE 'idle in transaction%' AND xact_start < now() - interval '1 minute'`,
};

const CONTENTS = `SELECT content_key FROM files WHERE content_key IS NOT NULL
  UNION SELECT content_key FROM private_files WHERE content_key IS NOT NULL`;

/** Returns a sentence for each leftover of completed work. Expired temporary data is cleaned up in the process. */
export async function leftovers(stage: Stage): Promise<string[]> {
  const wrong: string[] = [];
  await passTime(stage);
  // Workers also run their cleanup at startup.
  await stage.workers[0]!.kill();
  const isClean = await within(TIMEOUT_MS, async () => (await uncleaned(stage)).length === 0);
  if (!isClean) wrong.push(...(await uncleaned(stage)));
  for (const [what, sql] of Object.entries(LEFTOVER_QUERIES)) {
    const [[count] = []] = await stage.rows(sql);
    if (count !== '0') wrong.push(`${what}: ${count}`);
  }
  if (!(await within(TIMEOUT_MS, async () => (await orphans()).length === 0)))
    wrong.push(`Orphaned compilers: ${(await orphans()).join(', ')}`);
  const known = new Set((await stage.rows(CONTENTS)).map(([key]) => key!));
  const there = new Set(await filesBelow(join(stage.dataDir, 'blobs')));
  for (const key of there) if (!known.has(key)) wrong.push(`Unreferenced blob: ${key}`);
  for (const key of known) if (!there.has(key)) wrong.push(`A file without its content: ${key}`);
  return wrong;
}

/** Expires everything temporary, as if days had passed. */
async function passTime(stage: Stage): Promise<void> {
  await stage.rows('UPDATE temporary_blobs SET ends_at = now()');
  const longAgo = new Date(Date.now() - 7 * 86_400_000);
  for (const folder of [join('blobs', PARTIAL), ...WORK])
    for (const name of await entriesOf(join(stage.dataDir, folder)))
      await utimes(join(stage.dataDir, folder, name), longAgo, longAgo);
}

async function uncleaned(stage: Stage): Promise<string[]> {
  const [[temporary] = []] = await stage.rows('SELECT count(*) FROM temporary_blobs');
  const partial = await entriesOf(join(stage.dataDir, 'blobs', PARTIAL));
  const folders = await Promise.all(WORK.map((folder) => entriesOf(join(stage.dataDir, folder))));
  const left = folders.flat().length;
  return [
    ...(temporary === '0' ? [] : [`Temporary blobs that are never removed: ${temporary}`]),
    ...(partial.length === 0 ? [] : [`Incomplete uploads that are never removed: ${partial.length}`]),
    ...(left === 0 ? [] : [`Working directories that are never removed: ${left}`]),
  ];
}

/** Returns the IDs of compiler processes without their worker, if the operating system lists its processes. */
async function orphans(): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await entriesOf('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [command = '', state = ''] = await Promise.all(
      ['cmdline', 'stat'].map((name) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')),
    );
    if (command.includes('compile.thread') && / \w 1 /.test(state)) found.push(id);
  }
  return found;
}

const entriesOf = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Returns the paths of the files below a folder, without incomplete uploads. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !path.startsWith(PARTIAL));
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(POLL_INTERVAL_MS))
    if (await isSo()) return true;
  return false;
}
