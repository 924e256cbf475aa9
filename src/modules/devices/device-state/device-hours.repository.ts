import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { inOneWorker } from '../../../platform/database/one-worker.js';
import { prepared } from '../../../platform/database/statements.js';
import { HOUR, HOUR_COLUMNS, summedSql } from './device-hours.columns.js';
import { DevicePartitionsRepository, HOURS } from './device-partitions.repository.js';

const LOCK = 7_311_961;
const DUE = `SELECT d.application_id, d.device_id, d.hour FROM device_hours_due d
  WHERE d.hour <= $1 ORDER BY d.hour LIMIT $2`;
/**
 * Prevents changes to the points of these devices until their hours are stored, so that the next statements read all
 * points.
 */
const LOCK_DEVICES = `SELECT FROM device_states s WHERE s.device_id = ANY ($1) ORDER BY s.device_id FOR NO KEY UPDATE`;
const KEY = 'application_id, device_id, attribute, hour';
/** Every attribute with points has a newest value. */
const AGGREGATE = `WITH due AS (DELETE FROM device_hours_due d
    USING unnest($1::text[], $2::text[], $3::bigint[]) r (application_id, device_id, hour)
    WHERE d.application_id = r.application_id AND d.device_id = r.device_id AND d.hour = r.hour RETURNING d.*)
  INSERT INTO device_hours (${KEY}, ${HOUR_COLUMNS})
  SELECT d.application_id, d.device_id, a.attribute, d.hour, s.* FROM due d
  JOIN LATERAL (SELECT unnest(s.attributes) AS attribute FROM device_states s
    WHERE s.device_id = d.device_id OFFSET 0) a ON true
  JOIN LATERAL (${summedSql({
    application: 'd.application_id',
    device: 'd.device_id',
    attribute: 'a.attribute',
    from: 'd.hour',
    to: `d.hour + ${HOUR}`,
  })}) s ON true
  ON CONFLICT (${KEY}) DO UPDATE SET ${HOUR_COLUMNS.split(', ')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

interface DueHour {
  applicationId: string;
  deviceId: string;
  hour: number;
}

/** Calculates and stores hourly sums. */
@Injectable()
export class DeviceHoursRepository {
  constructor(
    private readonly database: Database,
    private readonly partitions: DevicePartitionsRepository,
  ) {}

  /**
   * Calculates up to `max` due hours that started at `until` or before, oldest first; returns their number. They are
   * calculated anew from their points, and therefore include late and replaced points. Only one worker calculates at a
   * time.
   */
  async aggregate(until: number, max: number): Promise<number> {
    const count = await inOneWorker(this.database, LOCK, async (transaction) => {
      const due = await transaction.rows<DueHour>(prepared(DUE, [until, max]));
      if (due.length === 0) return 0;
      await this.partitions.createMissing(
        HOURS,
        due.map(({ hour }) => hour),
      );
      const devices = due.map(({ deviceId }) => deviceId);
      await transaction.run(prepared(LOCK_DEVICES, [devices]));
      const hours = [due.map(({ applicationId }) => applicationId), devices, due.map(({ hour }) => hour)];
      await transaction.run(prepared(AGGREGATE, hours));
      return due.length;
    });
    return count ?? 0;
  }
}
