import { privateKeyOf } from '../../../lib/crypto/private-key.js';
import { ExtendedKeyUsage, KeyUsageFlags } from '../../../lib/crypto/x509.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { pemSource, shownCertificate, SUBJECT_FIELDS } from '../certificates.js';
import { openedCredential } from '../credentials.js';
import { integerWithin } from '../run-values.js';
import * as setting from '../settings.js';
import { IssueFault, issueCertificate, type CertificateOrder } from './issue.js';

const MAX_NAMES = 32;
const MAX_NAME_LENGTH = 1_024;
const MAX_DAYS = 3_650;
const DEFAULT_DAYS = 365;
/** The latest time that a certificate can have, less its validity. */
const MAX_TIME = Date.UTC(9_989, 0);
const SERIAL_NUMBER = /^(?!0+$)[\da-f]{1,40}$/i;

const HASHES: ReadonlyMap<string, string> = new Map([
  ['', 'SHA-256'],
  ['SHA256', 'SHA-256'],
  ['SHA384', 'SHA-384'],
  ['SHA512', 'SHA-512'],
  ['SHA1', 'SHA-1'],
]);
const NAME_TYPES = { dns: 'dns', uri: 'url', ip: 'ip', email: 'email' } as const;
const KEY_USAGES = [
  ...(['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'dataEncipherment'] as const),
  ...(['keyAgreement', 'keyCertSign', 'cRLSign', 'encipherOnly', 'decipherOnly'] as const),
] as const;
const EXTENDED_KEY_USAGES = [
  ...(['serverAuth', 'clientAuth', 'codeSigning', 'emailProtection'] as const),
  ...(['timeStamping', 'ocspSigning'] as const),
] as const;

const settings = setting.all(
  pemSource('csrTemplate', 'csrTemplateType'),
  setting.group({
    credentialNameTemplate: setting.requiredTemplate,
    countryTemplate: setting.template,
    stateTemplate: setting.template,
    localityTemplate: setting.template,
    organizationTemplate: setting.template,
    organizationalUnitTemplate: setting.template,
    commonNameTemplate: setting.template,
    emailTemplate: setting.template,
    algorithmTemplate: setting.template,
    expiresInDaysTemplate: setting.number(DEFAULT_DAYS),
    serialNumberTemplate: setting.template,
    notBeforeTemplate: setting.template,
    subjectAltNames: setting.list(
      setting.group({ type: setting.word('dns', 'uri', 'ip', 'email'), valueTemplate: setting.template }),
      MAX_NAMES,
    ),
    keyUsages: setting.list(setting.word(...KEY_USAGES), KEY_USAGES.length),
    extendedKeyUsages: setting.list(setting.word(...EXTENDED_KEY_USAGES), EXTENDED_KEY_USAGES.length),
    resultPath: setting.required(setting.target),
  }),
);

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    config.resultPath(path.payload, await issued(await orderOf(config, path)));
    return undefined;
  },
};

async function issued(order: CertificateOrder): Promise<object> {
  try {
    const certificate = await issueCertificate(order);
    const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]+)-----END/.exec(certificate) ?? [];
    return { certificate: `${certificate}\n`, ...shownCertificate(Buffer.from(base64, 'base64')) };
  } catch (error) {
    // Libraries throw errors of their own for names and keys that they cannot encode.
    return { error: { message: error instanceof IssueFault ? error.message : NOT_ISSUED } };
  }
}

const NOT_ISSUED = 'The certificate could not be issued with these names and keys';

async function orderOf(config: Settings, path: RunPath): Promise<CertificateOrder> {
  const { data } = path.payload;
  const hash = HASHES.get(config.algorithmTemplate(data).trim().toUpperCase());
  if (!hash) throw invalidSetting('algorithmTemplate', 'must be one of SHA1, SHA256, SHA384, SHA512');
  const serialNumber = config.serialNumberTemplate(data).trim();
  if (serialNumber !== '' && !SERIAL_NUMBER.test(serialNumber))
    throw invalidSetting('serialNumberTemplate', 'must have 1 to 40 hexadecimal digits');
  const request = config.pemOf(data);
  const days = integerWithin(config.expiresInDaysTemplate(data), 'expiresInDaysTemplate', 1, MAX_DAYS);
  const notBefore = timeOf(config.notBeforeTemplate(data).trim());
  const name = config.credentialNameTemplate(data);
  const { certificate, privateKey } = await openedCredential(path, name, 'certificateKeyPair');
  return {
    request,
    authority: certificate as string,
    signingKey: privateKeyOf(privateKey as string, 'privateKey'),
    hash,
    days,
    notBefore,
    ...(serialNumber !== '' && { serialNumber: serialNumber.length % 2 ? `0${serialNumber}` : serialNumber }),
    subject: subjectOf(config, data),
    alternativeNames: config.subjectAltNames
      .map(({ type, valueTemplate }) => ({ type: NAME_TYPES[type], value: bounded(valueTemplate(data)) }))
      .filter(({ value }) => value !== ''),
    keyUsages: config.keyUsages.reduce((flags, usage) => flags | KeyUsageFlags[usage], 0),
    extendedKeyUsages: config.extendedKeyUsages.map((usage) => ExtendedKeyUsage[usage]),
  };
}

function timeOf(text: string): Date {
  if (text === '') return new Date();
  const time = new Date(/^\d+$/.test(text) ? Number(text) : text);
  if (!(time.getTime() >= 0 && time.getTime() <= MAX_TIME))
    throw invalidSetting('notBeforeTemplate', 'must be a time');
  return time;
}

/** Returns the parts of the name that are not blank, by their types. */
function subjectOf(config: Settings, data: unknown): Record<string, string> {
  const { country, state, locality, organization, organizationUnit, commonName, emailAddress } =
    SUBJECT_FIELDS;
  const given: [type: string, value: string][] = [
    [country, config.countryTemplate(data)],
    [state, config.stateTemplate(data)],
    [locality, config.localityTemplate(data)],
    [organization, config.organizationTemplate(data)],
    [organizationUnit, config.organizationalUnitTemplate(data)],
    [commonName, config.commonNameTemplate(data)],
    [emailAddress, config.emailTemplate(data)],
  ];
  return Object.fromEntries(
    given.map(([type, value]) => [type, bounded(value)] as const).filter(([, value]) => value !== ''),
  );
}

function bounded(name: string): string {
  if (name.length > MAX_NAME_LENGTH)
    throw invalidSetting('A name', `must have at most ${MAX_NAME_LENGTH} characters`);
  return name;
}
