import type { Computed } from '../../../platform/database/row-shape.js';
import { connectionOf } from '../../devices/devices/device.columns.js';
import { MOST_LOGGED } from './deployment-bodies.js';

/** What deployments `t` show of their device. */
export const OF_DEVICE: readonly Computed[] = [
  { property: 'deviceName', kind: 'text', sql: '(SELECT d.name FROM devices d WHERE d.id = t.device_id)' },
  connectionOf('t.device_id', 'deviceConnectionInfo'),
];

/** SQL: whether `row` is to run the version, or runs it. Each of the two has an index, so neither is asked of every row. */
export const versionSql = (row: string, version: string): string =>
  `(${row}.desired_version = ${version} OR ${row}.current_version = ${version})`;

/** SQL of a log with an entry before all others, as far as it keeps them. */
export const loggedSql = (entry: string, log: string): string =>
  `jsonb_path_query_array(jsonb_build_array(${entry}) || ${log}, '$[0 to ${MOST_LOGGED - 1}]')`;

/** SQL of this moment as logs tell it. */
export const MOMENT = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
