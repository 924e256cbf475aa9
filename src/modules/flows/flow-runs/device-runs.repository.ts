import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { newId } from '../../../platform/repositories/resource.js';
import { idLikeSql, JOIN_RUNNING } from './trigger-conditions.columns.js';

/** Activity of a device that can fire triggers. */
export interface DeviceFiring {
  applicationId: string;
  deviceId: string;
  /** Triggers to fire, by type and key. */
  triggers: readonly { type: string; key: string }[];
  /** Version of the workflows to run; `default` selects the default version. */
  version: string;
  /** Reports or other items, several if sent in one batch. */
  received: readonly Received[];
  isBatch: boolean;
}

/** Payload of one item. Triggers filter by `data` and `time`. */
export interface Received {
  time: Date;
  data: object;
  meta?: unknown;
}

/** Maximum number of items per statement; more items are split into several statements. */
const MAX_RECEIVED = 1_000;
const MAX_TRIGGERS = 5_000;

const ID = idLikeSql('$11');
const names = (list: string) => `ARRAY(SELECT jsonb_array_elements_text(l.config->'${list}'))`;

/** Whether the trigger configuration `l.config` matches a report `r` with the values `d.data`. */
const TRIGGER_MATCHES = `(d.data <> '{}' OR l.config->'allowInvalid' = 'true')
  AND (coalesce(l.config->'attributeWhitelist', '[]') = '[]' OR d.data ?| ${names('attributeWhitelist')})
  AND (NOT l.config ? 'attributeBlacklist' OR d.data = '{}' OR d.data - ${names('attributeBlacklist')} <> '{}')
  AND (coalesce((l.config->'maxAge')::float8, 0) <= 0
    OR extract(epoch FROM $12::timestamptz - r.time) <= (l.config->'maxAge')::float8)
  AND coalesce(l.config->>'triggerOn', 'both') <> CASE WHEN r.together THEN 'individual' ELSE 'batch' END`;

/**
 * Finds the triggers, and stores the payloads and runs, in one statement for any number of devices. Triggers are found
 * by index, and workflows by primary key. The payload of an item is stored once per matching trigger. For triggers with
 * the batch behavior `once`, a batch is one additional payload with the number 0.
 */
const FIRE = `WITH listening AS MATERIALIZED (
    SELECT a.firing, a.application_id, a.type, a.key, f.id AS flow_id, g.flow_version_id, g.config
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[]) a (firing, application_id, version, type, key)
    CROSS JOIN LATERAL (
      SELECT g.flow_id, g.flow_version_id, coalesce(g.config, '{}') AS config FROM flow_triggers g
      WHERE g.application_id = a.application_id AND g.version = a.version AND g.type = a.type
        AND md5(g.key) = md5(a.key) AND g.key = a.key OFFSET 0) g
    ${JOIN_RUNNING}),
  received AS (
    SELECT * FROM unnest($6::int[], $7::timestamptz[], $8::text[], $9::text[], $10::boolean[])
      WITH ORDINALITY r (firing, time, given, device_id, together, n)),
  runs AS MATERIALIZED (
    SELECT DISTINCT l.firing, l.application_id, l.type, l.key, l.flow_id, l.flow_version_id, r.device_id,
      CASE WHEN r.together AND l.config->>'batchBehavior' = 'once' THEN 0 ELSE r.n END AS n
    FROM listening l JOIN received r ON r.firing = l.firing
    CROSS JOIN LATERAL (SELECT r.given::jsonb->'data' AS data OFFSET 0) d
    WHERE l.type NOT IN ('deviceId', 'deviceTag') OR (${TRIGGER_MATCHES})),
  payloads AS MATERIALIZED (
    SELECT p.*, ${ID} AS id FROM (SELECT DISTINCT firing, application_id, type, key, n FROM runs) p),
  stored AS (
    INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT p.id, p.application_id, ('{"type":' || to_json(p.type) || ',"key":' || to_json(p.key) || ',' || substr(
      CASE WHEN p.n > 0 THEN (SELECT r.given FROM received r WHERE r.n = p.n)
        ELSE (SELECT '{"sourceId":' || to_json(min(r.device_id)) || ',"data":[' || string_agg(r.given, ',' ORDER BY r.n) || ']}'
          FROM received r WHERE r.firing = p.firing) END, 2))::json
    FROM payloads p)
  INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, payload_id, requested_at)
  SELECT ${ID}, r.application_id, r.flow_id, r.flow_version_id, r.device_id, p.id, $12
  FROM runs r JOIN payloads p USING (firing, type, key, n)`;

/** Enqueues runs of the workflows whose triggers match device activity. */
@Injectable()
export class DeviceRunsRepository {
  constructor(private readonly database: Database) {}

  /** Executes one statement per thousand items, regardless of the number of devices and workflows. */
  async fire(firings: readonly DeviceFiring[]): Promise<void> {
    for (const some of portions(firings)) await this.database.write(prepared(FIRE, valuesOf(some)));
  }
}

function valuesOf(firings: readonly DeviceFiring[]): unknown[] {
  const asked = firings.flatMap(({ triggers, applicationId, version }, firing) =>
    triggers.map(({ type, key }) => [firing, applicationId, version, type, key]),
  );
  const received = firings.flatMap(({ received: things, deviceId, isBatch }, firing) =>
    things.map((thing) => [firing, thing.time, givenText(deviceId, thing), deviceId, isBatch]),
  );
  return [...columnsOf(asked), ...columnsOf(received), newId(), new Date()];
}

/** Returns the stored trigger without its type and key. */
const givenText = (sourceId: string, { time, data, meta }: Received): string =>
  JSON.stringify({ sourceId, time, data, meta });

const columnsOf = (rows: readonly (readonly unknown[])[]): unknown[][] =>
  [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column]));

/** Splits firings into chunks that one statement can process. A batch is never split. */
function* portions(firings: readonly DeviceFiring[]): Generator<DeviceFiring[]> {
  let some: DeviceFiring[] = [];
  let triggers = 0;
  let received = 0;
  for (const firing of firings) {
    const isFull = triggers + firing.triggers.length > MAX_TRIGGERS;
    if (some.length > 0 && (isFull || received + firing.received.length > MAX_RECEIVED)) {
      yield some;
      [some, triggers, received] = [[], 0, 0];
    }
    some.push(firing);
    triggers += firing.triggers.length;
    received += firing.received.length;
  }
  if (some.length > 0) yield some;
}
