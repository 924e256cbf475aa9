/**
 * Which devices `d` may act for themselves with a key `k` of their application `a`: conditions of the statements that sign
 * them in and that read whom their tokens speak for, so that a token is void as soon as nobody could sign in for it.
 */

/** Peripherals speak through their gateway, and systems are computed of others. */
const SPOKEN_FOR = `('peripheral', 'floating', 'system')`;

const isUnrestricted = `(k.device_ids = '[]' AND k.device_tags = '[]')`;

/** The device is one of those that may use the key. */
const mayUse = `(${isUnrestricted} OR k.device_ids ? d.id
  OR EXISTS (SELECT FROM jsonb_array_elements(k.device_tags) tag WHERE d.tags @> jsonb_build_array(tag)))`;

/** Whoever owns the application is there, and is no organization that is disabled. */
const isOwned = `coalesce((SELECT o.permanent_deletion IS NULL FROM users o WHERE o.id = a.owner_id),
  (SELECT o.deleted_at IS NULL AND coalesce(o.disabled_at > now(), true) FROM orgs o WHERE o.id = a.owner_id), false)`;

/** Devices with keys that they may use; says nothing of secrets and of addresses. Each row is found by its own id. */
export const DEVICES_WITH_KEYS = `devices d JOIN application_keys k ON k.application_id = d.application_id
  CROSS JOIN LATERAL (SELECT u.* FROM applications u WHERE u.id = d.application_id AND u.deleted_at IS NULL OFFSET 0) a
  WHERE d.deleted_at IS NULL AND d.device_class NOT IN ${SPOKEN_FOR} AND k.status = 'active' AND ${mayUse} AND ${isOwned}`;

/** The `DeviceReach` of a key as JSON; null where it reaches all. */
export const REACH_SQL = `CASE WHEN NOT ${isUnrestricted} THEN
  json_build_object('deviceIds', k.device_ids, 'deviceTags', k.device_tags) END`;

/** The `AddressRule` of a key as JSON; null where it may be used from everywhere. */
export const ADDRESS_RULE_SQL = `CASE WHEN k.address_filter_type <> 'all' THEN
  json_build_object('type', k.address_filter_type, 'addresses', k.addresses) END`;
