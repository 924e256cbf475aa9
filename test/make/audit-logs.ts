import type { EntityManager, EntityTarget, QueryDeepPartialEntity } from 'typeorm';
import { AUDIT_LOG_COUNT } from '../../src/platform/audit/audit.js';

/** Inserts entries into the log of an owner and counts them, as the platform's statements do. */
export async function insertEntries<T extends object>(
  manager: EntityManager,
  log: EntityTarget<T>,
  ownerId: string,
  entries: QueryDeepPartialEntity<T>[],
): Promise<void> {
  await manager.insert(log, entries);
  await manager.query('INSERT INTO count_deltas (holder_id, kind, n) VALUES ($1, $2, $3)', [
    ownerId,
    AUDIT_LOG_COUNT,
    entries.length,
  ]);
}
