import { casesOf, type Case } from './cases.js';
import { check } from './checks.js';
import { Databases, type Field } from './databases.js';
import { LoadGenerator } from './load-generator.js';
import { measure, warm, type Pace, type Result } from './measure.js';
import { launchServer } from './processes.js';
import type { Measured } from './report.js';
import { OWNED_BY, type Shape } from './shapes.js';

/** Outcome of a run. */
export interface Outcome {
  measured: readonly Measured[];
  /** A sentence for each failed check that does not depend on the machine. */
  faults: readonly string[];
  /** A sentence for each case that could not be measured because a request failed. */
  failures: readonly string[];
}

/**
 * Checks all cases, measures the `wanted` ones in each data shape, and reports each result as soon as it is available.
 */
export async function run(
  shapes: readonly Shape[],
  pace: Pace,
  wanted: (one: Case) => boolean = () => true,
  tell: (one: Measured) => void = () => undefined,
): Promise<Outcome> {
  const databases = await Databases.start();
  const load = LoadGenerator.start();
  const [measured, faults, failures]: [Measured[], string[], string[]] = [[], [], []];
  try {
    for (const shape of shapes) {
      for (const ownedBy of OWNED_BY) {
        const where = (sentence: string) => `${sentence} (of ${ownedBy}s, ${shape.name})`;
        const field = await databases.fill(shape, ownedBy);
        faults.push(...(await check(field)).map(where));
        const cases = casesOf(ownedBy).filter(wanted);
        const { results, failed } = await measureAll(field, load, cases, pace);
        failures.push(...failed.map(where));
        const one = { shape, ownedBy, results };
        measured.push(one);
        tell(one);
      }
    }
  } finally {
    load.stop();
    await databases.stop();
  }
  return { measured, faults, failures };
}

/** Measures cases on newly started servers. */
async function measureAll(
  field: Field,
  load: LoadGenerator,
  cases: readonly Case[],
  pace: Pace,
): Promise<{ results: Record<string, Result>; failed: string[] }> {
  const results: Record<string, Result> = {};
  const failed: string[] = [];
  if (!cases[0]) return { results, failed };
  const platform = await launchServer('../src/main.js', { ...field.env, PROCESS_ROLE: 'all' }, '/health');
  const anyPath = `/applications/${field.tenants[0]!.applications[0]}`;
  const bare = await launchServer('./bare-server.js', field.env, anyPath);
  const arena = { field, load, platform, bare };
  try {
    // Much of the code is the same for all requests.
    await warm(arena, cases[0], 3 * pace.warmUp);
    for (const one of cases)
      try {
        results[one.name] = await measure(arena, one, pace);
      } catch (error) {
        failed.push(`${one.name}: ${(error as Error).message}`);
      }
    return { results, failed };
  } finally {
    await Promise.all([platform.stop(), bare.stop()]);
  }
}
