import { Injectable } from '@nestjs/common';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { newId } from '../../../platform/repositories/resource.js';
import { idLikeSql, JOIN_RUNNING } from './trigger-conditions.columns.js';

/** State change of an event, with the properties that triggers filter by. */
export interface EventFiring {
  eventId: string;
  level: string;
  state: string;
  subject: string;
  /** Device that the event belongs to. */
  deviceId: string | null;
  /** Payload for workflows. */
  data: object;
}

/** Triggers match the states in their configuration, or all states if it contains no state; and one subject, or any. */
const TRIGGER_MATCHES = `CASE WHEN coalesce(g.config, '{}') ?| ARRAY['new', 'acknowledged', 'resolved'] THEN g.config->e.state = 'true'
    ELSE true END AND coalesce(g.config->>'subject', '') IN ('', e.subject)`;
const ID = idLikeSql('$8');

/**
 * Finds the triggers, and stores the payloads and runs, in one statement for any number of events. The key of a trigger
 * is a level, or `any`. The payload is stored once per matching key, and counted even if no trigger matches.
 */
const FIRE = `WITH fired AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      WITH ORDINALITY e (level, state, subject, device_id, given, n)),
  listening AS MATERIALIZED (
    SELECT e.n, k.key, e.device_id, f.id AS flow_id, g.flow_version_id FROM fired e
    CROSS JOIN LATERAL unnest(ARRAY['any', e.level]) k (key)
    CROSS JOIN LATERAL (
      SELECT g.flow_id, g.flow_version_id FROM flow_triggers g
      WHERE g.application_id = $1 AND g.version = 'default' AND g.type = 'event' AND md5(g.key) = md5(k.key)
        AND g.key = k.key AND ${TRIGGER_MATCHES} OFFSET 0) g
    ${JOIN_RUNNING}),
  payloads AS MATERIALIZED (
    SELECT p.n, p.key, ${ID} AS id FROM (SELECT DISTINCT l.n, l.key FROM listening l) p),
  stored AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT p.id, $1, ('{"type":"event","key":' || to_json(p.key) || ',' || substr(e.given, 2))::json
    FROM payloads p JOIN fired e USING (n)),
  counted AS (${countPayloadsSql(`SELECT $1::text AS application_id, e.device_id, 'event' AS type, $7::text AS channel,
    count(*) AS n, sum(octet_length(e.given)) AS bytes FROM fired e GROUP BY e.device_id`)})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, payload_id, requested_at)
  SELECT ${ID}, $1, l.flow_id, l.flow_version_id, l.device_id, p.id, $9
  FROM (SELECT DISTINCT n, key, device_id, flow_id, flow_version_id FROM listening) l JOIN payloads p USING (n, key)`;

/** Enqueues runs of the workflows whose triggers match events. */
@Injectable()
export class EventRunsRepository {
  constructor(private readonly database: Database) {}

  /** Executes one statement. `runner` is the transaction of the state change. */
  async fire(
    applicationId: string,
    firings: readonly EventFiring[],
    channel: PayloadChannel,
    runner: Runner = this.database,
  ): Promise<void> {
    const columns = [
      firings.map(({ level }) => level),
      firings.map(({ state }) => state),
      firings.map(({ subject }) => subject),
      firings.map(({ deviceId }) => deviceId),
      firings.map(({ eventId, data }) => JSON.stringify({ sourceId: eventId, data })),
    ];
    await runner.run(prepared(FIRE, [applicationId, ...columns, channel, newId(), new Date()]));
  }
}
