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

/** The application and whoever owns it are there, and nobody disabled them. */
const isThere = `a.deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM users o WHERE o.id = a.owner_id AND o.permanent_deletion IS NOT NULL)
  AND NOT EXISTS (SELECT FROM orgs o WHERE o.id = a.owner_id
    AND (o.deleted_at IS NOT NULL OR coalesce(o.disabled_at <= now(), false)))`;

/** Devices with keys that they may use; says nothing of secrets and of addresses. */
export const DEVICES_WITH_KEYS = `devices d JOIN applications a ON a.id = d.application_id
  JOIN application_keys k ON k.application_id = d.application_id
  WHERE d.deleted_at IS NULL AND d.device_class NOT IN ${SPOKEN_FOR} AND k.status = 'active' AND ${mayUse} AND ${isThere}`;

/** The `DeviceReach` of a key as JSON; null where it reaches all. */
export const REACH_SQL = `CASE WHEN NOT ${isUnrestricted} THEN
  json_build_object('deviceIds', k.device_ids, 'deviceTags', k.device_tags) END`;

/** The `AddressRule` of a key as JSON; null where it may be used from everywhere. */
export const ADDRESS_RULE_SQL = `CASE WHEN k.address_filter_type <> 'all' THEN
  json_build_object('type', k.address_filter_type, 'addresses', k.addresses) END`;
