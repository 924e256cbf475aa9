import type { PayloadChannel, PayloadType } from './payload-types.js';

/** Payloads of a kind that an application got or sent at once. */
export interface Payloads {
  type: PayloadType;
  channel: PayloadChannel;
  /** The size of what they carry. */
  bytes: number;
}

/**
 * SQL that counts payloads, for a `WITH` of the statement that stores what they are: either both are there or neither is.
 * `rows` is SQL of `application_id`, `device_id` (null where it is of no device), `type`, `channel`, `n` and `bytes`, one
 * row for all that are alike. They are counted now, for whoever owns the application now; what an application that is
 * gone got is not counted.
 */
export const countPayloadsSql = (rows: string): string => `
  INSERT INTO payload_deltas (application_id, owner_id, device_id, type, channel, n, bytes)
  SELECT p.application_id, a.owner_id, p.device_id, p.type, p.channel, p.n, p.bytes FROM (${rows}) p
  JOIN LATERAL (SELECT a.owner_id FROM applications a WHERE a.id = p.application_id OFFSET 0) a ON true`;
