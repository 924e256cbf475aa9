import { Injectable, Logger } from '@nestjs/common';
import { Database } from './database.js';
import { PeriodicTask } from './periodic-task.js';
import { prepared } from './statements.js';

const INTERVAL_MS = 10_000;
/** Number of rows below which any plan is cheap. */
const MIN_ROWS = 1_000;

/**
 * Tables that were never analyzed, or that have more than twice as many rows as then. Changes of rows do not count, so a
 * table is analyzed once for each doubling of its size. A partition counts as a table. Tables without autovacuum are left
 * to those who disabled it.
 */
const GROWN = `SELECT quote_ident(s.schemaname) || '.' || quote_ident(s.relname) AS name
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.schemaname IN ('public', 'data_tables') AND c.relkind = 'r' AND s.n_live_tup >= $1
    AND NOT coalesce(c.reloptions @> '{autovacuum_enabled=false}', false)
    AND (coalesce(s.last_analyze, s.last_autoanalyze) IS NULL OR s.n_live_tup > 2 * c.reltuples)`;

/**
 * Analyzes tables soon after they have grown: after imports, bulk creation, migrations or the restoration of a backup.
 * Without statistics, PostgreSQL takes a tenant for small and reads all its rows. Autovacuum may need minutes, or be
 * disabled.
 */
@Injectable()
export class TableStatistics extends PeriodicTask {
  private readonly log = new Logger(TableStatistics.name);
  /** Tables whose analysis failed; they are left to autovacuum. */
  private readonly failed = new Set<string>();

  constructor(private readonly database: Database) {
    super(INTERVAL_MS, 'Tables were not analyzed');
  }

  /** Analyzes each table that has grown; skips those that another worker is analyzing. Returns their names. */
  async analyzeGrown(): Promise<string[]> {
    const grown = await this.database.rows<{ name: string }>(prepared(GROWN, [MIN_ROWS]));
    const names = grown.map(({ name }) => name).filter((name) => !this.failed.has(name));
    for (const name of names) {
      if (this.stopped) break;
      await this.database.run({ text: `ANALYZE (SKIP_LOCKED) ${name}`, values: [] }).catch((error: Error) => {
        this.failed.add(name);
        this.log.warn(`${name} was not analyzed: ${error.message}`);
      });
    }
    return names;
  }

  protected override async runBatch(): Promise<boolean> {
    await this.analyzeGrown();
    return false;
  }
}
