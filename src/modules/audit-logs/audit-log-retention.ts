import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 1_000;
const KEPT = '1 year';

/**
 * Removes entries after a year, a batch at a time, so that no statement takes long or locks much. All workers do this at
 * once: each takes rows that no other one is removing.
 */
@Injectable()
export class AuditLogRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditLogRetention.name);
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    void this.repeat();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Removes what is too old from both kinds of log. */
  async removeOld(): Promise<void> {
    for (const table of ['audit_logs', 'instance_audit_logs']) {
      while (!this.stopped && (await this.removeSome(table)) === BATCH);
    }
  }

  private async removeSome(table: string): Promise<number> {
    const old = `SELECT id FROM ${table} WHERE creation_date < now() - interval '${KEPT}'
      ORDER BY creation_date LIMIT $1 FOR UPDATE SKIP LOCKED`;
    const text = `DELETE FROM ${table} WHERE id IN (${old}) RETURNING id`;
    return (await this.database.run(prepared(text, [BATCH]))).length;
  }

  private async repeat(): Promise<void> {
    await this.removeOld().catch((error: Error) =>
      this.logger.warn(`Old entries of audit logs were not removed: ${error.message}`),
    );
    if (!this.stopped) this.timer = setTimeout(() => void this.repeat(), INTERVAL_MS);
  }
}
