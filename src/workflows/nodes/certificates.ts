import { X509Certificate } from 'node:crypto';
import { X509Certificate as Parsed, type Name } from '../../lib/crypto/x509.js';
import type { Compiled } from '../language/compile.js';
import { invalidSetting } from '../engine/run-error.js';
import * as setting from './settings.js';

const MAX_PEM_LENGTH = 256 * 1024;

/** Parts of the name of a subject, by the members of `info`. */
export const SUBJECT_FIELDS = {
  country: 'C',
  state: 'ST',
  locality: 'L',
  organization: 'O',
  organizationUnit: 'OU',
  commonName: 'CN',
  emailAddress: 'E',
} as const;

/**
 * Setting of a PEM text that is a template or at a path, as the member `type` says. The run fails if it is blank or too
 * long.
 */
export const pemSource =
  (member: string, type: string): setting.Setting<{ readonly pemOf: Compiled<string> }> =>
  (raw, at) => {
    const { [type]: kind } = setting.group({
      [type]: setting.word('stringTemplate', 'payloadPath', 'diskPath'),
    })(raw, at);
    const source: setting.Setting<Compiled<unknown>> =
      kind === 'payloadPath' ? setting.path : setting.template;
    const read = setting.group({ [member]: source })(raw, at)[member]!;
    return {
      pemOf: (payload) => {
        if (kind === 'diskPath') throw invalidSetting(type, 'diskPath is available on devices only');
        const text = read(payload);
        if (typeof text !== 'string' || text.trim() === '') throw invalidSetting(member, 'is required');
        if (text.length > MAX_PEM_LENGTH)
          throw invalidSetting(member, `must have at most ${MAX_PEM_LENGTH} characters`);
        return text;
      },
    };
  };

/** Public key of a certificate, in PEM, and its details. Members that the certificate does not have are absent. */
export interface ShownCertificate {
  readonly publicKey: string;
  readonly info: Readonly<Record<string, string>>;
}

/** Returns what nodes show of a certificate in DER. Throws any error if it cannot be read. */
export function shownCertificate(der: Uint8Array): ShownCertificate {
  const native = new X509Certificate(der);
  const parsed = new Parsed(new Uint8Array(der));
  const { serialNumber, notBefore, notAfter, issuer } = parsed;
  return {
    publicKey: native.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    info: {
      serial: serialNumber,
      ...subjectOf(parsed.subjectName),
      notValidBefore: notBefore.toISOString(),
      notValidAfter: notAfter.toISOString(),
      issuerName: issuer,
      fingerprint: native.fingerprint,
    },
  };
}

function subjectOf(name: Name): Record<string, string> {
  const fields = Object.entries(SUBJECT_FIELDS).map(([member, field]) => [member, name.getField(field)[0]]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
