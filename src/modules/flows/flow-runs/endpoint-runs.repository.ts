import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DEVELOP } from './flow-run.columns.js';
import type { RunTrigger } from './flow-run-payload.entity.js';
import { textOf } from './run-trigger.js';
import { idLikeSql, JOIN_REQUESTED } from './trigger-conditions.columns.js';

/** Request to an experience endpoint, which workflows can reply to. */
export interface EndpointFiring {
  applicationId: string;
  endpointId: string;
  /** Name of the requested version of the experience. */
  experienceVersion: string;
  /**
   * Version in which workflows of the application run, because experience versions do not include them; `default`
   * selects the default version.
   */
  flowVersion?: string;
  /** Payload for workflows, with the request. */
  data: object;
  /** Type of the caller and size of the request, for payload counts. */
  channel: PayloadChannel;
  bytes: number;
}

/** Trigger key that matches every endpoint. */
const ANY = '0'.repeat(24);

/**
 * Finds the triggers, and stores the payload and runs, in one statement. Matches workflows of the requested experience
 * version, and workflows of the application whose trigger names this version (default `develop`). A workflow runs once,
 * even if several of its triggers match.
 */
const FIRE = `WITH listening AS MATERIALIZED (
    SELECT c.flow_class, f.id AS flow_id, g.flow_version_id
    FROM unnest(ARRAY[$2::text, '${ANY}']) k (key)
    CROSS JOIN (VALUES ('experience', $3::text), ('cloud', $4::text)) c (flow_class, version)
    CROSS JOIN LATERAL (
      SELECT g.flow_id, g.flow_version_id FROM flow_triggers g
      WHERE g.application_id = $1 AND g.version = c.version AND g.type = 'endpoint' AND md5(g.key) = md5(k.key)
        AND g.key = k.key
        AND (c.flow_class = 'experience' OR coalesce(g.config->>'experienceVersion', '${DEVELOP}') = $3) OFFSET 0) g
    ${JOIN_REQUESTED}),
  runs AS (SELECT DISTINCT l.flow_id, l.flow_version_id FROM listening l),
  payload AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT $5, $1, $6::json WHERE EXISTS (SELECT FROM runs)
    RETURNING id),
  counted AS (${countPayloadsSql(`SELECT $1::text AS application_id, NULL AS device_id, 'endpoint' AS type,
    $8::text AS channel, 1 AS n, $9::bigint AS bytes`)})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, payload_id, requested_at)
  SELECT ${idLikeSql('p.id')}, $1, r.flow_id, r.flow_version_id, p.id, $7 FROM runs r CROSS JOIN payload p
  RETURNING id`;

/** Enqueues runs of the workflows that handle requests to endpoints. */
@Injectable()
export class EndpointRunsRepository {
  constructor(private readonly database: Database) {}

  /** Executes one statement. Returns the IDs of the runs. */
  async fire(firing: EndpointFiring): Promise<string[]> {
    const { applicationId, endpointId, experienceVersion, flowVersion = 'default', data } = firing;
    const trigger: RunTrigger = { type: 'endpoint', key: endpointId, sourceId: endpointId, data };
    const asked = [applicationId, endpointId, experienceVersion, flowVersion];
    const values = [...asked, newId(), textOf(trigger), new Date(), firing.channel, firing.bytes];
    const runs = await this.database.rows<{ id: string }>(prepared(FIRE, values));
    return runs.map(({ id }) => id);
  }
}
