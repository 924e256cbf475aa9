import type { Computed } from '../../../platform/database/row-shape.js';
import { connectionOf } from '../../devices/devices/device.columns.js';
import { MAX_LOGGED } from './deployment.fields.js';

/** Properties of the device in deployments `t`. */
export const DEVICE_COMPUTED: readonly Computed[] = [
  { property: 'deviceName', kind: 'text', sql: '(SELECT d.name FROM devices d WHERE d.id = t.device_id)' },
  connectionOf('t.device_id', 'deviceConnectionInfo'),
];

/** SQL condition that `row` has this desired or current version. Each of the columns has an index. */
export const versionSql = (row: string, version: string): string =>
  `(${row}.desired_version = ${version} OR ${row}.current_version = ${version})`;

/** SQL that prepends an entry to a log and truncates the log. */
export const loggedSql = (entry: string, log: string): string =>
  `jsonb_path_query_array(jsonb_build_array(${entry}) || ${log}, '$[0 to ${MAX_LOGGED - 1}]')`;

/** SQL for the current time in the format of log entries. */
export const CURRENT_TIMESTAMP = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for the globals of an application without those that must not leave the platform; null if it has none. */
export const deviceGlobalsSql = (globals: string): string =>
  `jsonb_path_query_array(${globals}, '$[*] ? (!(@.cloudOnly == true))')`;
