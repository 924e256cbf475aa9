/**
 * Which devices `d` of an application `a` may act for themselves, with an access key or with a certificate `k`: conditions of
 * the statements that sign them in and that read whom their tokens speak for, so that a token is void as soon as nobody could
 * sign in for it.
 */

/** Peripherals speak through their gateway, and systems are computed of others. */
const SPOKEN_FOR = `('peripheral', 'floating', 'system')`;

/** The application of the device, found by its own id. */
const WITH_APPLICATION = `CROSS JOIN LATERAL (
  SELECT u.* FROM applications u WHERE u.id = d.application_id AND u.deleted_at IS NULL OFFSET 0) a`;

/** Whoever owns the application is there, and is no organization that is disabled. */
const isOwned = `coalesce((SELECT o.permanent_deletion IS NULL FROM users o WHERE o.id = a.owner_id),
  (SELECT o.deleted_at IS NULL AND coalesce(o.disabled_at > now(), true) FROM orgs o WHERE o.id = a.owner_id), false)`;

const speaksForItself = `d.deleted_at IS NULL AND d.device_class NOT IN ${SPOKEN_FOR} AND ${isOwned}`;

const isUnrestricted = `(k.device_ids = '[]' AND k.device_tags = '[]')`;

/** The device is one of those that the key or certificate is for, by its id or by a tag. */
const isNamed = `(k.device_ids ? d.id
  OR EXISTS (SELECT FROM jsonb_array_elements(k.device_tags) tag WHERE d.tags @> jsonb_build_array(tag)))`;

/** Devices with keys that they may use; says nothing of secrets and of addresses. Each row is found by its own id. */
export const DEVICES_WITH_KEYS = `devices d JOIN application_keys k ON k.application_id = d.application_id ${WITH_APPLICATION}
  WHERE ${speaksForItself} AND k.status = 'active' AND (${isUnrestricted} OR ${isNamed})`;

/** The `DeviceReach` of a key as JSON; null where it reaches all. */
export const KEY_REACH_SQL = `CASE WHEN NOT ${isUnrestricted} THEN
  json_build_object('deviceIds', k.device_ids, 'deviceTags', k.device_tags) END`;

/** The `AddressRule` of a key as JSON; null where it may be used from everywhere. */
export const ADDRESS_RULE_SQL = `CASE WHEN k.address_filter_type <> 'all' THEN
  json_build_object('type', k.address_filter_type, 'addresses', k.addresses) END`;

/** It was registered and is no more, so nobody is to take it for one that never was. */
const isWithdrawn = `EXISTS (SELECT FROM withdrawn_certificates w
  WHERE w.application_id = d.application_id AND w.digest = p.digest)`;

/**
 * Devices with the certificate of `$2`, a `CertificateClaim` as JSON, where its authority is there and active and they may use
 * it: one that is registered by what its row says, another only as the device to which it is made out. Times are for the
 * caller to look at: a token ends with its certificates.
 */
export const DEVICES_WITH_CERTIFICATES = `devices d ${WITH_APPLICATION}
  CROSS JOIN jsonb_to_record($2::jsonb) p (digest text, own boolean, authority text, issuer text)
  JOIN application_certificate_authorities i ON i.id = p.authority AND i.application_id = d.application_id
  LEFT JOIN application_certificates k ON k.application_id = d.application_id AND k.digest = p.digest
  WHERE ${speaksForItself} AND i.status = 'active'
  AND i.ca_info @> jsonb_build_array(jsonb_build_object('fingerprint', p.issuer))
  AND CASE WHEN k.id IS NULL THEN p.own AND NOT ${isWithdrawn} ELSE k.status = 'active' AND ${isNamed} END`;

/** The `DeviceReach` of a certificate as JSON. */
export const CERTIFICATE_REACH_SQL = `json_build_object(
  'deviceIds', coalesce(k.device_ids, jsonb_build_array(d.id)), 'deviceTags', coalesce(k.device_tags, '[]'))`;

/** What a token of a certificate is dropped by, as JSON. One that is not registered may be, by its digest. */
export const CERTIFICATE_CREDENTIALS_SQL = `to_json(array_remove(ARRAY[k.id, p.digest, p.authority], NULL))`;
