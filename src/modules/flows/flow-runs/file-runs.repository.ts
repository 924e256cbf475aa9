import { Injectable } from '@nestjs/common';
import type { Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { newId } from '../../../platform/repositories/resource.js';
import { idLikeSql, JOIN_RUNNING } from './trigger-conditions.columns.js';

/** Change of a file. */
export interface FileFiring {
  applicationId: string;
  fileId: string;
  change: 'create' | 'update' | 'delete';
  isPrivate: boolean;
  /** Keys of matching triggers: the path of the file, and the paths of its parent directories. */
  keys: readonly string[];
  /** Payload for workflows. */
  data: object;
  channel: PayloadChannel;
}

/** Triggers match the changes in their configuration, and private or public files. The default is public files. */
const TRIGGER_MATCHES = `g.config->$3 = 'true'
  AND CASE WHEN g.config ?| ARRAY['public', 'private'] THEN g.config->$4 = 'true' ELSE $4 = 'public' END`;
const ID = idLikeSql('$7');

/**
 * Finds the triggers, and stores the payloads and runs, in one statement. The change is counted even if no trigger
 * matches.
 */
const FIRE = `WITH listening AS MATERIALIZED (
    SELECT k.key, f.id AS flow_id, g.flow_version_id FROM unnest($2::text[]) k (key)
    CROSS JOIN LATERAL (
      SELECT g.flow_id, g.flow_version_id FROM flow_triggers g
      WHERE g.application_id = $1 AND g.version = 'default' AND g.type = 'appFile' AND md5(g.key) = md5(k.key)
        AND g.key = k.key AND ${TRIGGER_MATCHES} OFFSET 0) g
    ${JOIN_RUNNING}),
  payloads AS MATERIALIZED (SELECT p.key, ${ID} AS id FROM (SELECT DISTINCT l.key FROM listening l) p),
  stored AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT p.id, $1, ('{"type":"appFile","key":' || to_json(p.key) || ',' || substr($5::text, 2))::json FROM payloads p),
  counted AS (${countPayloadsSql(`SELECT $1::text AS application_id, NULL AS device_id, 'appFile' AS type, $6::text AS channel,
    1 AS n, octet_length($5::text)::bigint AS bytes`)})
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, payload_id, requested_at)
  SELECT ${ID}, $1, l.flow_id, l.flow_version_id, p.id, $8 FROM listening l JOIN payloads p USING (key)`;

/** Enqueues runs of the workflows whose triggers match changes of files. */
@Injectable()
export class FileRunsRepository {
  /** Executes one statement, in the transaction of the change. */
  async fire(firing: FileFiring, runner: Runner): Promise<void> {
    const { applicationId, fileId, change, isPrivate, keys, data, channel } = firing;
    const given = JSON.stringify({ sourceId: fileId, data });
    const kind = isPrivate ? 'private' : 'public';
    const values = [applicationId, keys, change, kind, given, channel, newId(), new Date()];
    await runner.run(prepared(FIRE, values));
  }
}
