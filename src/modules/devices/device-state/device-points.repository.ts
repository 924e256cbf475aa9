import { Injectable } from '@nestjs/common';
import { Database, violatedUnique } from '../../../platform/database/database.js';
import { foundAfterCut } from '../../../platform/database/found-after-cut.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import { Listening, listeningSql } from '../device-triggers/device-triggers.columns.js';
import { HOUR } from './device-hours.columns.js';
import { DevicePartitionsRepository, POINTS } from './device-partitions.repository.js';
import { encodePoints, countPoints, POINT_COLUMNS, pointArrays } from './point-rows.js';
import { MAX_LAST_VALUE_LENGTH, rowsOf, type StoredReport, type ReportRows } from './report-batch.js';

/** Number of points from which `COPY` is faster, although it requires a transaction with four round trips. */
const MIN_COPY_POINTS = 500;
/**
 * Number of batches that are stored as if they contained existing points, after one that did: clients that repeat
 * points tend to continue.
 */
const REPEATING = 10;

/** Keys of attributes whose stored value is newer, for reports with older or several times. */
const OLDER = `ARRAY(SELECT v.key FROM jsonb_each(excluded.last_values) v
  WHERE (s.last_values->v.key->0)::bigint > (v.value->0)::bigint)`;
const NEWEST_OF_BOTH = `(SELECT max((v.value->0)::bigint) FROM (
  SELECT * FROM jsonb_each(s.last_values) UNION ALL SELECT * FROM jsonb_each(excluded.last_values)) v)`;
/**
 * Updates the states first, sorted by ID, so that no two transactions deadlock; the following parts read `l` and
 * therefore wait for all of them. The newest value of each attribute is kept. Usually a report is newer than all stored
 * values and contains all their attributes; then its values replace them without a comparison.
 */
const STATES = `WITH s AS MATERIALIZED (
    INSERT INTO device_states AS s (device_id, application_id, newest, attributes, last_values)
    SELECT r.device_id, r.application_id, r.newest, r.attributes::int[], r.last_values FROM ROWS FROM (
      unnest($1::text[], $2::text[], $3::bigint[], $4::text[]), jsonb_array_elements($5::jsonb)
    ) r (device_id, application_id, newest, attributes, last_values) ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET
      last_values = CASE
        WHEN excluded.newest >= s.newest AND excluded.attributes @> s.attributes THEN excluded.last_values
        WHEN excluded.newest >= s.newest THEN s.last_values || excluded.last_values
        ELSE s.last_values || (excluded.last_values - ${OLDER}) END,
      attributes = CASE
        WHEN excluded.attributes @> s.attributes THEN excluded.attributes
        WHEN excluded.attributes <@ s.attributes THEN s.attributes
        ELSE ARRAY(SELECT unnest(s.attributes) UNION SELECT unnest(excluded.attributes)) END,
      newest = CASE
        WHEN excluded.newest >= s.newest THEN excluded.newest
        WHEN excluded.newest < s.newest THEN s.newest
        ELSE ${NEWEST_OF_BOTH} END
    RETURNING 1),
  l AS MATERIALIZED (SELECT count(*) FROM s),
  h AS (INSERT INTO device_hours_due (device_id, application_id, hour)
    SELECT r.device_id, r.application_id, r.hour
    FROM unnest($6::text[], $7::text[], $8::bigint[]) r (device_id, application_id, hour) CROSS JOIN l
    ON CONFLICT DO NOTHING),
  c AS (${countPayloadsSql(`SELECT r.application_id, r.device_id, 'deviceState' AS type, r.channel, r.n, r.bytes
    FROM unnest($9::text[], $10::text[], $11::text[], $12::bigint[], $13::bigint[]) r (device_id, application_id, channel, n, bytes)`)})`;
/** SQL for the applications whose workflows listen. */
const LISTENING = listeningSql('$14::text[]');
const storeSql = (repeated = '') => `${STATES},
  p AS (INSERT INTO device_points (${POINT_COLUMNS})
    SELECT r.* FROM unnest($15::text[], $16::text[], $17::int[], $18::bigint[], $19::float8[], $20::boolean[], $21::text[]) r
      (${POINT_COLUMNS}) CROSS JOIN l ${repeated})
  ${LISTENING}`;
/** Stores new points only; if a point already exists, the statement fails without effect. */
const STORE_NEW = storeSql();
/** Stores any points. Each is looked up before it is stored, which doubles the time. */
const STORE = storeSql(`ON CONFLICT (application_id, device_id, attribute, time) DO UPDATE
  SET number = excluded.number, boolean = excluded.boolean, text = excluded.text`);
const LOCK = `${STATES} ${LISTENING}`;
const LISTENING_ALONE = listeningSql('$1::text[]');
/** Whether all points are stored, each looked up by its key. */
const HAS = `SELECT bool_and(EXISTS (SELECT FROM device_points p WHERE p.application_id = r.application_id
    AND p.device_id = r.device_id AND p.attribute = r.attribute AND p.time = r.time
    AND (p.number, p.boolean, p.text) IS NOT DISTINCT FROM (r.number, r.boolean, r.text)))
  FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::float8[], $6::boolean[], $7::text[]) r (${POINT_COLUMNS})`;
const COPY = `COPY device_points (${POINT_COLUMNS}) FROM STDIN (FORMAT binary)`;

/** Prevents changes to the points of the device until the transaction ends. */
const LOCK_DEVICE = 'SELECT FROM device_states s WHERE s.device_id = $1 FOR NO KEY UPDATE';
/**
 * Deletes the first points of one attribute by a key range: a join with the selected rows could look up each of them in
 * the whole table. The sums of their hours are deleted and recalculated.
 */
const removeSql = (attribute: string) => `WITH next AS MATERIALIZED (
    SELECT r.attribute, r.time FROM device_points r WHERE r.application_id = $1 AND r.device_id = $2
      AND r.time >= $3 AND r.time <= $4 ${attribute} ORDER BY r.attribute, r.time LIMIT $5),
  picked AS MATERIALIZED (SELECT n.attribute, max(n.time) AS time FROM next n GROUP BY n.attribute ORDER BY n.attribute LIMIT 1),
  gone AS (DELETE FROM device_points p WHERE p.application_id = $1 AND p.device_id = $2
      AND p.attribute = (SELECT k.attribute FROM picked k) AND p.time >= $3 AND p.time <= (SELECT k.time FROM picked k)
    RETURNING p.time),
  touched AS (SELECT DISTINCT time - time % ${HOUR} AS hour FROM gone),
  due AS (INSERT INTO device_hours_due (application_id, device_id, hour) SELECT $1, $2, hour FROM touched
    ON CONFLICT DO NOTHING),
  hours AS (DELETE FROM device_hours WHERE application_id = $1 AND device_id = $2 AND hour = ANY (ARRAY(SELECT hour FROM touched)))
  SELECT count(*) AS points FROM gone`;
const REMOVE = { all: removeSql(''), one: removeSql('AND r.attribute = $6') };
/** Recalculates the newest value of attributes whose newest value was deleted. */
const RENEW = `WITH old AS (SELECT v.key::int AS attribute FROM device_states s, jsonb_each(s.last_values) v
    WHERE s.device_id = $2 AND (v.value->0)::bigint BETWEEN $3 AND $4),
  renewed AS (SELECT (s.last_values - ARRAY(SELECT o.attribute::text FROM old o)) || coalesce((
      SELECT jsonb_object_agg(p.attribute, CASE WHEN length(p.text) > ${MAX_LAST_VALUE_LENGTH} THEN jsonb_build_array(p.time)
        ELSE jsonb_build_array(p.time, coalesce(to_jsonb(p.number), to_jsonb(p.boolean), to_jsonb(p.text))) END)
      FROM old o JOIN LATERAL (SELECT p.* FROM device_points p WHERE p.application_id = $1 AND p.device_id = $2
        AND p.attribute = o.attribute ORDER BY p.time DESC LIMIT 1) p ON true), '{}') AS last_values
    FROM device_states s WHERE s.device_id = $2 AND EXISTS (SELECT FROM old))
  UPDATE device_states s SET last_values = r.last_values,
    attributes = ARRAY(SELECT k.key::int FROM jsonb_object_keys(r.last_values) k (key))
  FROM renewed r WHERE s.device_id = $2`;
const REMOVAL_BATCH = 5_000;

/** Stores the points of devices and their current state. */
@Injectable()
export class DevicePointsRepository {
  /** Number of batches to store as if they contained existing points. */
  private repeating = 0;

  constructor(
    private readonly database: Database,
    private readonly partitions: DevicePartitionsRepository,
  ) {}

  /**
   * Stores reports atomically: points, newest values, due hours and payload counts. A value replaces an existing one
   * with the same time. Returns the applications whose workflows listen. Reports that were committed although the
   * connection was lost are not stored again, because their payloads would be counted twice.
   */
  async store(reports: readonly StoredReport[]): Promise<Listening> {
    const rows = rowsOf(reports);
    await this.partitions.createMissing(POINTS, rows.hours.hours);
    const applications = [...new Set(reports.map(({ applicationId }) => applicationId))];
    const values = [...stateValues(rows), applications];
    try {
      const listening =
        (this.mayRepeat() ? undefined : await this.storeNew(rows, values)) ??
        (await this.database.write(prepared(STORE, [...values, ...pointArrays(rows.points)])));
      return new Listening(listening);
    } catch (error) {
      const listening = await foundAfterCut(error, async () =>
        (await this.has(rows)) ? this.database.run(prepared(LISTENING_ALONE, [applications])) : undefined,
      );
      return new Listening(listening);
    }
  }

  /**
   * Deletes a batch of a device's points from one time to another, both inclusive, in milliseconds since 1970; returns
   * whether there may be more. `attribute` is the number of an attribute; if omitted, all attributes are processed in
   * turn. Hourly sums and newest values then reflect the remaining points.
   */
  removeBatch(
    applicationId: string,
    deviceId: string,
    from: number,
    to: number,
    attribute?: number,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await transaction.run(prepared(LOCK_DEVICE, [deviceId]));
      const range = [applicationId, deviceId, from, to];
      const removal =
        attribute === undefined
          ? prepared(REMOVE.all, [...range, REMOVAL_BATCH])
          : prepared(REMOVE.one, [...range, REMOVAL_BATCH, attribute]);
      const [gone] = await transaction.rows<{ points: number }>(removal);
      if (gone!.points > 0) await transaction.run(prepared(RENEW, range));
      return gone!.points > 0;
    });
  }

  /** Returns whether all points of reports are stored; `false` if the reports have none. */
  private async has({ points }: ReportRows): Promise<boolean> {
    const [row] = await this.database.run(prepared(HAS, pointArrays(points)));
    return row![0] === 't';
  }

  private mayRepeat(): boolean {
    if (this.repeating === 0) return false;
    this.repeating--;
    return true;
  }

  /** Stores points like `STORE` if all of them are new; otherwise returns `undefined`. */
  private async storeNew(rows: ReportRows, values: unknown[]): Promise<Row[] | undefined> {
    try {
      return countPoints(rows.points) < MIN_COPY_POINTS
        ? await this.database.write(prepared(STORE_NEW, [...values, ...pointArrays(rows.points)]))
        : await this.copy(rows, values);
    } catch (error) {
      if (violatedUnique(error) === undefined) throw error;
      this.repeating = REPEATING;
      return undefined;
    }
  }

  private copy(rows: ReportRows, values: unknown[]): Promise<Row[]> {
    return this.database.transaction(async (transaction) => {
      const listening = await transaction.run(prepared(LOCK, values));
      await transaction.copy(COPY, encodePoints(rows.points));
      return listening;
    });
  }
}

const stateValues = ({ states, hours, payloads }: ReportRows): string[] => [
  arrayOf(states.deviceIds),
  arrayOf(states.applicationIds),
  arrayOf(states.newest),
  arrayOf(states.attributes.map((attributes) => `"{${attributes.join(',')}}"`)),
  `[${states.lastValues.join(',')}]`,
  ...[...Object.values(hours), ...Object.values(payloads)].map(arrayOf),
];

/**
 * Returns an array literal of values that need no quotes in PostgreSQL, such as IDs, channels and numbers, which most
 * values are.
 */
const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
