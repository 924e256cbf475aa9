import { rowsTable } from '../../src/modules/data/data-tables/table-columns.js';
import type { Stage } from '../stage.js';
import { PAYLOADS, type Found } from '../verdict.js';
import type { Site } from './site.js';

/** The failures that a run may have. Its time also passes while PostgreSQL does not respond. */
export const EXPECTED = ['The run was interrupted three times', 'The run took longer than 60 seconds'];

/** Numbers of effects, and of those with different keys. */
type Effects = readonly [count: number, distinct: number];

/** Compares the effects of each site with its runs. Passes a sentence about each discrepancy to `wrong`. */
export async function verdict(
  rows: Stage['rows'],
  sites: readonly Site[],
  wrong: (sentence: string) => void,
): Promise<Found[]> {
  const found = new Map<string, Found>();
  const add = (kind: string, more: Omit<Found, 'kind'>) => {
    const one = found.get(kind) ?? { kind, acknowledged: 0, unknown: 0, lost: 0, doubled: 0 };
    for (const name of ['acknowledged', 'unknown', 'lost', 'doubled'] as const) one[name] += more[name];
    found.set(kind, one);
  };
  for (const site of sites) {
    const { acknowledged, unknown, cause } = site;
    const { completed, failed, left, reasons } = await runsOf(rows, site);
    if (left > 0) wrong(`${left} runs of the ${cause} did not end`);
    for (const reason of reasons) wrong(`A run of the ${cause} failed: ${reason}`);
    const runs = completed + failed + left;
    const isCalled = cause !== 'timer';
    add(`runs of a ${cause}`, {
      acknowledged: isCalled ? acknowledged : runs,
      unknown,
      lost: isCalled ? Math.max(0, acknowledged - runs) : 0,
      doubled: isCalled ? Math.max(0, runs - acknowledged - unknown) : 0,
    });
    for (const [kind, effects] of Object.entries(await effectsOf(rows, site)))
      add(kind, {
        acknowledged: completed,
        unknown: failed + left,
        lost: Math.max(0, completed - effects[1]),
        doubled: Math.max(0, effects[0] - effects[1]) + Math.max(0, effects[1] - runs),
      });
  }
  return [...found.values()];
}

async function runsOf(rows: Stage['rows'], { flowId }: Site) {
  const [[completed, failed, left] = []] = await rows(
    `SELECT count(*) FILTER (WHERE paths_failed = 0), count(*) FILTER (WHERE paths_failed > 0),
       (SELECT count(*) FROM run_inbox WHERE flow_id = $1) FROM flow_runs WHERE flow_id = $1`,
    [flowId],
  );
  const reasons = await rows(
    `SELECT DISTINCT e #>> '{error,message}' FROM flow_runs, jsonb_array_elements(errors) e
     WHERE flow_id = $1 AND e #>> '{error,message}' <> ALL ($2)`,
    [flowId, EXPECTED],
  );
  return {
    completed: Number(completed),
    failed: Number(failed),
    left: Number(left),
    reasons: reasons.map(([reason]) => reason),
  };
}

async function effectsOf(rows: Stage['rows'], site: Site): Promise<Record<string, Effects>> {
  // Reports of the same millisecond replace each other, but each is counted.
  const [[, reported = '0'] = []] = await rows(`SELECT * FROM (${PAYLOADS}) p WHERE device_id = $1`, [
    site.deviceId,
  ]);
  const counts = async (key: string, from: string, id: string): Promise<Effects> => {
    const [[count, distinct] = []] = await rows(`SELECT count(*), count(DISTINCT ${key}) FROM ${from} = $1`, [
      id,
    ]);
    return [Number(count), Number(distinct)];
  };
  const table = rowsTable(site.tableId);
  const columns = `to_jsonb(t) - 'id' - 'created_at' - 'updated_at'`;
  const [[stored = '0'] = []] = await rows('SELECT value FROM flow_storage WHERE flow_id = $1', [
    site.flowId,
  ]);
  return {
    'rows inserted': await counts(columns, `${table} t WHERE 'all'`, 'all'),
    'events created': await counts('subject', 'events WHERE application_id', site.applicationId),
    'states reported': [Number(reported), Number(reported)],
    'additions to storage': [Number(stored), Number(stored)],
  };
}
