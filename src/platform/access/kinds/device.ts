import {
  ADDRESS_RULE_SQL,
  CERTIFICATE_CREDENTIALS_SQL,
  CERTIFICATE_REACH_SQL,
  DEVICES_WITH_CERTIFICATES,
  DEVICES_WITH_KEYS,
  KEY_REACH_SQL,
} from '../device-access.js';
import { applicationSql, type CredentialClaims, type PrincipalKind, type Reading } from './kind.js';

const WITH_KEY = {
  name: 'device',
  sql: `json_build_object('name', d.name, 'application', ${applicationSql('a')}, 'credentials', json_build_array(k.id),
      'devices', ${KEY_REACH_SQL}, 'addresses', ${ADDRESS_RULE_SQL})`,
  from: `${DEVICES_WITH_KEYS} AND d.id = $1 AND k.id = $2`,
};

const WITH_CERTIFICATE = {
  name: 'device-certificate',
  sql: `json_build_object('name', d.name, 'application', ${applicationSql('a')},
      'credentials', ${CERTIFICATE_CREDENTIALS_SQL}, 'devices', ${CERTIFICATE_REACH_SQL})`,
  from: `${DEVICES_WITH_CERTIFICATES} AND d.id = $1`,
};

/** A device that signed in with an access key or a certificate. */
export const DEVICE = {
  reading: ({ key, certificate }: CredentialClaims): Reading =>
    certificate
      ? { ...WITH_CERTIFICATE, credential: JSON.stringify(certificate) }
      : { ...WITH_KEY, credential: key },
  signsIn: true,
  hasApiTokens: false,
  hasAccount: false,
  roleInside: 'collaborate',
  // A limit of its own, so that devices cannot exhaust that of their owner, nor the owner that of the devices.
  requestLimit: 'fleet',
  actorType: 'Device',
} as const satisfies PrincipalKind;
