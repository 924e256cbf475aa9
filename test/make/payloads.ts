import type { TestApp } from '../setup/app.js';

const REPORTS = `SELECT coalesce(sum(n), 0)::int AS n, coalesce(sum(bytes), 0)::int AS bytes FROM (
  SELECT n, bytes FROM payload_deltas WHERE device_id = $1 AND type = 'deviceState' AND channel = 'user.rest'
  UNION ALL SELECT n, bytes FROM application_payload_sums
  WHERE device_id = $1 AND type = 'deviceState' AND channel = 'user.rest' AND hours = 1) p`;

/** Returns the number and bytes of the states that users have reported for a device, as they are counted. */
export async function countedReports(
  { dataSource }: TestApp,
  deviceId: string,
): Promise<{ n: number; bytes: number }> {
  return (await dataSource.query(REPORTS, [deviceId]))[0];
}
