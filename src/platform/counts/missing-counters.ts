import type { DataSource } from 'typeorm';
import { counterName, type CountedRows } from './count-triggers.js';

/** Returns the declared counters that the database lacks. `npm run migration:generate` adds them to the migration. */
export async function missingCounters(
  dataSource: DataSource,
  declared: readonly CountedRows[],
): Promise<CountedRows[]> {
  const byTrigger = declared.filter(({ isMaintainedElsewhere }) => !isMaintainedElsewhere);
  const missing = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM unnest($1::text[]) name WHERE to_regproc(name) IS NULL',
    [byTrigger.map(counterName)],
  );
  const names = new Set(missing.map(({ name }) => name));
  return byTrigger.filter((rows) => names.has(counterName(rows)));
}
