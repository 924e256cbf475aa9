import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measured, Results } from './report.js';
import type { OwnedBy } from './shapes.js';

/** The results of the last full run are kept in the repository. */
const FILE = join(import.meta.dirname, '../../bench/last.json');
/** More digits would only be noise. */
const DIGITS = 3;

export interface Last {
  date: string;
  node: string;
  /** Results by shape, then by owner type. */
  shapes: Record<string, Partial<Record<OwnedBy, Results>>>;
}

/** Returns the results of the last full run, if any. */
export async function readLast(): Promise<Last | undefined> {
  const text = await readFile(FILE, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Last);
}

/** Stores the results of a full run. */
export async function writeLast(measured: readonly Measured[]): Promise<void> {
  const shapes: Last['shapes'] = {};
  for (const { shape, ownedBy, results } of measured) (shapes[shape.name] ??= {})[ownedBy] = results;
  const last: Last = { date: new Date().toISOString().slice(0, 10), node: process.version, shapes };
  const text = JSON.stringify(
    last,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value),
    2,
  );
  await writeFile(FILE, `${text}\n`);
}
