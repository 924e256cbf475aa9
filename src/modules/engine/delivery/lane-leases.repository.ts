import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/** Duration of a lease in milliseconds. An engine that does not renew its leases for this long has lost them. */
export const LEASE_MS = 15_000;

/** A lane that an engine owns. The fence increases with each owner. */
export interface LeasedLane {
  lane: number;
  fence: number;
}

/** A lane that an engine has claimed. */
export interface ClaimedLane extends LeasedLane {
  /** Whether the previous owner did not release it. Some of its runs may have begun. */
  wasAbandoned: boolean;
}

const UNTIL = `now() + interval '${LEASE_MS} milliseconds'`;
const RENEW = `WITH present AS (
    INSERT INTO run_engines (id, until) VALUES ($1, ${UNTIL}) ON CONFLICT (id) DO UPDATE SET until = excluded.until),
  gone AS (DELETE FROM run_engines WHERE until < now() - interval '1 hour'),
  renewed AS (UPDATE lane_leases SET until = ${UNTIL} WHERE owner = $1 RETURNING lane, fence)
  SELECT (SELECT count(*) FROM run_engines WHERE id <> $1 AND until > now()) + 1 AS engines,
    coalesce((SELECT json_agg(r) FROM renewed r), '[]') AS lanes`;
const CLAIM = `UPDATE lane_leases l SET owner = $1, fence = l.fence + 1, until = ${UNTIL}
  FROM (SELECT lane, owner FROM lane_leases WHERE until <= now() ORDER BY lane LIMIT $2 FOR UPDATE SKIP LOCKED) free
  WHERE l.lane = free.lane RETURNING l.lane, l.fence, free.owner IS NOT NULL AS was_abandoned`;
const RELEASE = `UPDATE lane_leases SET owner = NULL, until = '-infinity' WHERE owner = $1 AND lane = ANY ($2::int[])`;
const LEAVE = 'DELETE FROM run_engines WHERE id = $1';

/** Stores which engine owns which lane. Times come from the database, so clocks of engines may differ. */
@Injectable()
@RunsIn('engine')
export class LaneLeasesRepository {
  constructor(private readonly database: Database) {}

  /** Renews all leases of an engine. Returns its lanes, and the number of engines that are running. */
  async renew(engineId: string): Promise<{ engines: number; lanes: LeasedLane[] }> {
    const [renewed] = await this.database.rows<{ engines: number; lanes: LeasedLane[] }>(
      prepared(RENEW, [engineId]),
    );
    return renewed!;
  }

  /** Claims lanes that nobody owns. */
  claim(engineId: string, count: number): Promise<ClaimedLane[]> {
    return this.database.rows(prepared(CLAIM, [engineId, count]));
  }

  async release(engineId: string, lanes: readonly number[]): Promise<void> {
    await this.database.run(prepared(RELEASE, [engineId, lanes]));
  }

  /** Removes an engine that has released its lanes. */
  async leave(engineId: string): Promise<void> {
    await this.database.run(prepared(LEAVE, [engineId]));
  }
}
