/**
 * SQL conditions for the devices `d` of an application `a` that may act for themselves with an access key or
 * certificate `k`. The statements that sign devices in and those that read the subject of a device token share them, so
 * a token becomes invalid as soon as it could no longer be obtained.
 */

/** Peripherals act through their gateway, and systems are computed from other devices. */
const CLASSES_WITHOUT_CREDENTIALS = `('peripheral', 'floating', 'system')`;

/** Joins the application of the device by its primary key. */
const WITH_APPLICATION = `CROSS JOIN LATERAL (
  SELECT u.* FROM applications u WHERE u.id = d.application_id AND u.deleted_at IS NULL OFFSET 0) a`;

/** The owner of the application exists and is not a disabled organization. */
const isOwned = `coalesce((SELECT o.permanent_deletion IS NULL FROM users o WHERE o.id = a.owner_id),
  (SELECT o.deleted_at IS NULL AND coalesce(o.disabled_at > now(), true) FROM orgs o WHERE o.id = a.owner_id), false)`;

const hasOwnCredentials = `d.deleted_at IS NULL AND d.device_class NOT IN ${CLASSES_WITHOUT_CREDENTIALS} AND ${isOwned}`;

const isUnrestricted = `(k.device_ids = '[]' AND k.device_tags = '[]')`;

/** The key or certificate names the device, by ID or by tag. */
const isListed = `(k.device_ids ? d.id
  OR EXISTS (SELECT FROM jsonb_array_elements(k.device_tags) tag WHERE d.tags @> jsonb_build_array(tag)))`;

/**
 * Devices joined with the keys that they may use, regardless of secrets and addresses. Each row is found by its own ID.
 */
export const DEVICES_WITH_KEYS = `devices d JOIN application_keys k ON k.application_id = d.application_id ${WITH_APPLICATION}
  WHERE ${hasOwnCredentials} AND k.status = 'active' AND (${isUnrestricted} OR ${isListed})`;

/** The `DeviceReach` of a key as JSON; null if the key covers all devices. */
export const KEY_REACH_SQL = `CASE WHEN NOT ${isUnrestricted} THEN
  json_build_object('deviceIds', k.device_ids, 'deviceTags', k.device_tags) END`;

/** The `AddressRule` of a key as JSON; null if the key may be used from any address. */
export const ADDRESS_RULE_SQL = `CASE WHEN k.address_filter_type <> 'all' THEN
  json_build_object('type', k.address_filter_type, 'addresses', k.addresses) END`;

/** The certificate was registered and removed, so it must not be mistaken for one that was never registered. */
const isCertificateRevoked = `EXISTS (SELECT FROM withdrawn_certificates w
  WHERE w.application_id = d.application_id AND w.digest = p.digest)`;

/**
 * Devices that may use the certificate of `$2`, a `CertificateClaim` as JSON, provided that its authority exists and is
 * active. A registered certificate covers the devices in its row; any other covers only the device to which it was
 * issued. The caller checks validity periods: a token expires with its certificates.
 */
export const DEVICES_WITH_CERTIFICATES = `devices d ${WITH_APPLICATION}
  CROSS JOIN jsonb_to_record($2::jsonb) p (digest text, own boolean, authority text, issuer text)
  JOIN application_certificate_authorities i ON i.id = p.authority AND i.application_id = d.application_id
  LEFT JOIN application_certificates k ON k.application_id = d.application_id AND k.digest = p.digest
  WHERE ${hasOwnCredentials} AND i.status = 'active'
  AND i.ca_info @> jsonb_build_array(jsonb_build_object('fingerprint', p.issuer))
  AND CASE WHEN k.id IS NULL THEN p.own AND NOT ${isCertificateRevoked} ELSE k.status = 'active' AND ${isListed} END`;

/** The `DeviceReach` of a certificate as JSON. */
export const CERTIFICATE_REACH_SQL = `json_build_object(
  'deviceIds', coalesce(k.device_ids, jsonb_build_array(d.id)), 'deviceTags', coalesce(k.device_tags, '[]'))`;

/**
 * IDs whose revocation evicts a certificate's token, as JSON. An unregistered certificate is identified by its digest.
 */
export const CERTIFICATE_CREDENTIALS_SQL = `to_json(array_remove(ARRAY[k.id, p.digest, p.authority], NULL))`;
