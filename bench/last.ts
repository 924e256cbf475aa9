import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measured, Results } from './report.js';
import type { OwnedBy } from './shapes.js';

/** The figures of the last full run stand beside the code. */
const FILE = join(import.meta.dirname, '../../bench/last.json');
/** More digits would only be noise. */
const DIGITS = 3;

export interface Last {
  date: string;
  node: string;
  /** The results of each shape, by who owns the applications. */
  shapes: Record<string, Partial<Record<OwnedBy, Results>>>;
}

/** What the last full run has left, if there was one. */
export async function readLast(): Promise<Last | undefined> {
  const text = await readFile(FILE, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Last);
}

/** Keeps the figures of a full run. */
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
