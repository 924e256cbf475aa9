import { Injectable } from '@nestjs/common';
import type { Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import type { PayloadChannel, PayloadType } from '../../../platform/payloads/payload-types.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { RunTrigger } from './flow-run-payload.entity.js';
import { idLikeSql, JOIN_RUNNING } from './trigger-conditions.columns.js';

/** The same change of several resources, which fires triggers of one type and key. */
export interface Changes {
  applicationId: string;
  type: PayloadType;
  key: string;
  /** Name of the change. Triggers without a filter match every change. */
  change: string;
  channel: PayloadChannel;
  /** Payloads for workflows, one per changed resource. */
  data: readonly object[];
}

const ID = idLikeSql('$7');

/**
 * Finds the triggers, and stores the payloads and runs, in one statement regardless of the number of changes. Each
 * change is counted as a payload, even if no trigger matches.
 */
const FIRE = `WITH listening AS MATERIALIZED (
    SELECT f.id AS flow_id, g.flow_version_id FROM flow_triggers g ${JOIN_RUNNING}
    WHERE g.application_id = $1 AND g.version = 'default' AND g.type = $2 AND md5(g.key) = md5($3) AND g.key = $3
      AND (coalesce(g.config, '{}') = '{}' OR g.config->$4 = 'true')),
  payloads AS MATERIALIZED (
    SELECT ${ID} AS id, c.given FROM unnest($5::text[]) c (given) WHERE EXISTS (SELECT FROM listening)),
  stored AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger) SELECT p.id, $1, p.given::json FROM payloads p),
  counted AS (${countPayloadsSql(`SELECT $1::text AS application_id, NULL AS device_id, $2::text AS type, $6::text AS channel,
    count(*) AS n, sum(octet_length(c.given)) AS bytes FROM unnest($5::text[]) c (given)`)})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, payload_id, requested_at)
  SELECT ${ID}, $1, l.flow_id, l.flow_version_id, p.id, $8 FROM listening l CROSS JOIN payloads p`;

/** Enqueues runs of the workflows whose triggers match changes of resources, one run per change. */
@Injectable()
export class ChangeRunsRepository {
  /** Executes one statement, in the transaction of the changes. */
  async fire({ applicationId, type, key, change, channel, data }: Changes, runner: Runner): Promise<void> {
    const given = data.map((one): string => {
      const trigger: RunTrigger = { type, key, sourceId: key, data: one };
      return JSON.stringify(trigger);
    });
    const values = [applicationId, type, key, change, given, channel, newId(), new Date()];
    await runner.run(prepared(FIRE, values));
  }
}
