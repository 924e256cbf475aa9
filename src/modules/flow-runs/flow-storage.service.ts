import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { countSql } from '../../platform/counts/counts.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { demandWithinLimit, limitedOwner } from '../../platform/limits.js';
import { Success } from '../../platform/shared.schemas.js';
import { flowEntry, type NamedFlow } from './flow-entry.js';
import type { FlowStorageEntry } from './flow-storage.schemas.js';

/** The most bytes that a workflow stores: all of it is read at once. */
const MOST_BYTES = 1024 * 1024;

/** SQL of the bytes that all workflows of the owner `t` store. */
const OWNED = countSql('t.id', `'storageStats.size'`, { owner: true });
const SIZE = 'coalesce(sum(octet_length(s.key) + octet_length(s.value::text)), 0)';

/** What workflows keep between their runs. */
@Injectable()
export class FlowStorageService {
  constructor(private readonly database: Database) {}

  entries(applicationId: string, flowId: string): Promise<object> {
    return this.read(`coalesce(json_object_agg(s.key, s.value ORDER BY s.key), '{}')`, applicationId, flowId);
  }

  metadata(applicationId: string, flowId: string): Promise<object> {
    return this.read(
      `json_build_object('keysCount', count(*), 'memoryUsed', ${SIZE})`,
      applicationId,
      flowId,
    );
  }

  async set(
    application: ApplicationAccess,
    flowId: string,
    { key, value }: FlowStorageEntry,
    by: Author,
  ): Promise<Success> {
    return this.database.transaction(async ({ manager }) => {
      const flow = await lockFlow(manager, application.id, flowId);
      if (value === undefined)
        await manager.query('DELETE FROM flow_storage WHERE flow_id = $1 AND key = $2', [flowId, key]);
      else {
        await manager.query(
          `INSERT INTO flow_storage (flow_id, key, value, application_id, last_updated) VALUES ($1, $2, $3::jsonb, $4, now())
           ON CONFLICT (flow_id, key) DO UPDATE SET value = excluded.value, last_updated = excluded.last_updated`,
          [flowId, key, JSON.stringify(value), application.id],
        );
        await demandBytes(manager, application, flowId);
      }
      await writeEntry(manager, by, flowEntry(application, flow));
      return new Success();
    });
  }

  async clear(application: ApplicationAccess, flowId: string, by: Author): Promise<object> {
    return this.database.transaction(async ({ manager }) => {
      const flow = await lockFlow(manager, application.id, flowId);
      await manager.query('DELETE FROM flow_storage WHERE flow_id = $1', [flowId]);
      await writeEntry(manager, by, flowEntry(application, flow));
      return {};
    });
  }

  private async read(json: string, applicationId: string, flowId: string): Promise<object> {
    const text = `SELECT (SELECT ${json} FROM flow_storage s WHERE s.flow_id = f.id)
      FROM flows f WHERE f.application_id = $1 AND f.id = $2`;
    const [row] = await this.database.run(prepared(text, [applicationId, flowId]));
    if (!row) throw new NotFound('Flow');
    return JSON.parse(row[0]!) as object;
  }
}

/** The workflow, locked until the transaction ends: of two that store at once, the second one sees what the first did. */
async function lockFlow(manager: EntityManager, applicationId: string, flowId: string): Promise<NamedFlow> {
  const [flow] = await manager.query<NamedFlow[]>(
    `SELECT f.id AS "flowId", f.name, a.name AS "applicationName" FROM flows f JOIN applications a ON a.id = f.application_id
     WHERE f.application_id = $1 AND f.id = $2 FOR NO KEY UPDATE OF f`,
    [applicationId, flowId],
  );
  if (!flow) throw new NotFound('Flow');
  return flow;
}

/** Throws 400 where what was stored is too much for the workflow or for its owner. */
async function demandBytes(
  manager: EntityManager,
  application: ApplicationAccess,
  flowId: string,
): Promise<void> {
  const [stored] = await manager.query<{ size: number }[]>(
    `SELECT ${SIZE}::float8 AS size FROM flow_storage s WHERE s.flow_id = $1`,
    [flowId],
  );
  if (stored!.size > MOST_BYTES)
    throw new ValidationError(
      `flowStorageEntry.value is too large: a workflow stores at most ${MOST_BYTES} bytes`,
    );
  await demandWithinLimit(manager, limitedOwner(application), 'storage', OWNED, [], 0);
}
