import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DEVELOP } from './flow-run.columns.js';
import type { RunTrigger } from './flow-run-payload.entity.js';
import { textOf } from './run-trigger.js';
import { idLikeSql, JOIN_ASKED } from './wanted-runs.columns.js';

/** A request to an endpoint of an experience that workflows may answer. */
export interface EndpointFiring {
  applicationId: string;
  endpointId: string;
  /** The name of the version of the experience that was asked. */
  experienceVersion: string;
  /** The version in which workflows of the application run, which experiences do not keep: `default` for the one that runs. */
  flowVersion?: string;
  /** What workflows get of the request. */
  data: object;
  /** Who asked, and the size of what they sent. */
  channel: PayloadChannel;
  bytes: number;
}

/** The key that stands for every endpoint. */
const ANY = '0'.repeat(24);

/**
 * Finds, stores and asks in one statement. Workflows of the experience are those of its version; workflows of the application
 * hear the version that their trigger names, `develop` where it names none. Each runs once, however many triggers of it hear
 * the endpoint.
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
    ${JOIN_ASKED}),
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

/** Asks for runs of the workflows that answer requests to endpoints. */
@Injectable()
export class EndpointRunsRepository {
  constructor(private readonly database: Database) {}

  /** One statement. Returns the ids of the runs. */
  async fire(firing: EndpointFiring): Promise<string[]> {
    const { applicationId, endpointId, experienceVersion, flowVersion = 'default', data } = firing;
    const trigger: RunTrigger = { type: 'endpoint', key: endpointId, sourceId: endpointId, data };
    const asked = [applicationId, endpointId, experienceVersion, flowVersion];
    const values = [...asked, newId(), textOf(trigger), new Date(), firing.channel, firing.bytes];
    const runs = await this.database.rows<{ id: string }>(prepared(FIRE, values));
    return runs.map(({ id }) => id);
  }
}
