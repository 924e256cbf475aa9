import type { PayloadChannel, PayloadType } from './payload-types.js';

/** Payloads of one kind that an application received or sent together. */
export interface Payloads {
  type: PayloadType;
  channel: PayloadChannel;
  /** Total size of the payloads in bytes. */
  bytes: number;
}

/**
 * Returns SQL that counts payloads, for a `WITH` clause of the statement that stores them, so that both are atomic.
 * `rows` is SQL with the columns `application_id`, `device_id` (NULL for payloads without a device), `type`, `channel`,
 * `n` and `bytes`, one row per combination. The current owner of the application is charged. Payloads of deleted
 * applications are not counted.
 */
export const countPayloadsSql = (rows: string): string =>
  insertPayloadsSql(`
  SELECT p.application_id, a.owner_id, p.device_id, p.type, p.channel, p.n, p.bytes FROM (${rows}) p
  JOIN LATERAL (SELECT a.owner_id FROM applications a WHERE a.id = p.application_id OFFSET 0) a ON true`);

/** Returns the same for rows that also have the current owner of the application, after its ID. */
export const insertPayloadsSql = (rows: string): string => `
  INSERT INTO payload_deltas (application_id, owner_id, device_id, type, channel, n, bytes) ${rows}`;
