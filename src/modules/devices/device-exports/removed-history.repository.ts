import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { Span } from './span.js';

/** Histories of devices in addition to their points: commands and connections. */
export type History = 'commands' | 'connections';

const BATCH = 1_000;
const removeSql = (
  table: string,
) => `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT h.ctid FROM ${table} h
    WHERE h.application_id = $1 AND h.device_id = $2 AND h.time >= $3 AND h.time < $4 LIMIT $5)) RETURNING 1`;
const REMOVE: Readonly<Record<History, string>> = {
  commands: removeSql('device_commands'),
  connections: removeSql('device_connections'),
};

/** Deletes rows of histories. */
@Injectable()
export class RemovedHistoryRepository {
  constructor(private readonly database: Database) {}

  /** Deletes a batch of a device's history within a time range; returns whether there may be more. */
  async removeBatch(history: History, applicationId: string, deviceId: string, span: Span): Promise<boolean> {
    const values = [applicationId, deviceId, new Date(span.start), new Date(span.end), BATCH];
    return (await this.database.run(prepared(REMOVE[history], values))).length === BATCH;
  }
}
