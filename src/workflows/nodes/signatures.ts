import { constants, createPublicKey, type KeyObject, type SignKeyObjectInput } from 'node:crypto';
import { ApiError } from '../../lib/errors/errors.js';
import { privateKeyOf } from '../../lib/crypto/private-key.js';
import type { RunPath } from '../engine/node-run.js';
import { invalidSetting, RunFault } from '../engine/run-error.js';
import { openedCredential } from './credentials.js';
import { encoding } from './encodings.js';
import * as setting from './settings.js';

/** Names of algorithms in Node. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['SHA256', 'sha256'],
  ['SHA384', 'sha384'],
  ['SHA1', 'sha1'],
  ['MD5', 'md5'],
]);
const PADDINGS: ReadonlyMap<string, number> = new Map([
  ['RSA_PKCS1_PADDING', constants.RSA_PKCS1_PADDING],
  ['RSA_PKCS1_PSS_PADDING', constants.RSA_PKCS1_PSS_PADDING],
]);
const DSA_ENCODINGS: ReadonlyMap<string, SignKeyObjectInput['dsaEncoding']> = new Map([
  ['der', 'der'],
  ['ieee-p1363', 'ieee-p1363'],
]);
const MAX_KEY_LENGTH = 8196;
/** A signature with a key of this size takes a few milliseconds. */
const MAX_RSA_BITS = 4096;

const keyTemplate = { keyTemplate: setting.template };

/** Settings that nodes which sign and nodes which verify have in common. */
export const signatureSettings = setting.all(
  setting.group({
    credentialNameTemplate: setting.template,
    dataTemplate: setting.template,
    dataEncodingTemplate: setting.template,
    algorithmTemplate: setting.template,
    paddingTemplate: setting.template,
    dsaEncodingTemplate: setting.template,
    signatureEncodingTemplate: setting.template,
  }),
  setting.variant(
    'keyTemplateType',
    {
      stringTemplate: setting.group(keyTemplate),
      payloadPath: setting.group({ keyTemplate: setting.path }),
      diskPath: setting.group(keyTemplate),
    },
    'stringTemplate',
  ),
);
export type SignatureSettings = setting.Read<typeof signatureSettings>;

/** Data to sign, and the form of the signature. */
export interface Signing {
  readonly algorithm: string;
  readonly data: Buffer;
  readonly signatureEncoding: BufferEncoding;
  readonly options: Pick<SignKeyObjectInput, 'padding' | 'dsaEncoding'>;
}

/** Reads what a node signs or verifies. Throws a `RunFault` for unknown names of algorithms, paddings and encodings. */
export function signingOf(config: SignatureSettings, payload: unknown): Signing {
  const named = <T>(names: ReadonlyMap<string, T>, at: Named, asWritten = (name: string) => name): T => {
    const name = asWritten(config[at](payload).trim());
    const found = name === '' ? names.values().next().value : names.get(name);
    if (found === undefined) throw invalidSetting(at, `must be one of ${[...names.keys()].join(', ')}`);
    return found;
  };
  return {
    algorithm: named(ALGORITHMS, 'algorithmTemplate', (name) => name.toUpperCase()),
    data: Buffer.from(
      config.dataTemplate(payload),
      encoding(config.dataEncodingTemplate(payload), 'dataEncodingTemplate'),
    ),
    signatureEncoding: encoding(
      config.signatureEncodingTemplate(payload),
      'signatureEncodingTemplate',
      'base64',
    ),
    options: {
      padding: named(PADDINGS, 'paddingTemplate'),
      dsaEncoding: named(DSA_ENCODINGS, 'dsaEncodingTemplate'),
    },
  };
}

type Named = 'algorithmTemplate' | 'dsaEncodingTemplate' | 'paddingTemplate';

/** Returns the key that signs. Throws a `RunFault` for a key that cannot be used. */
export const privateKey = async (config: SignatureSettings, path: RunPath): Promise<KeyObject> =>
  usable(privateKeyOf, await keyText(config, path, 'privateKey'));

/** Returns the key that verifies: a public key, or that of a certificate or private key. Throws as `privateKey` does. */
export const publicKey = async (config: SignatureSettings, path: RunPath): Promise<KeyObject> =>
  usable((text) => createPublicKey(text), await keyText(config, path, 'certificate'));

/** Returns the text of the key, from the member of a credential or from the setting. */
async function keyText(
  config: SignatureSettings,
  path: RunPath,
  member: 'certificate' | 'privateKey',
): Promise<string> {
  const { data } = path.payload;
  const name = config.credentialNameTemplate(data);
  if (name !== '') return textOf((await openedCredential(path, name, 'certificateKeyPair'))[member]);
  if (config.keyTemplateType === 'diskPath')
    throw invalidSetting('keyTemplateType', 'diskPath is available on devices only');
  return textOf(config.keyTemplate(data));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function usable(parse: (text: string, at: string) => KeyObject, text: string): KeyObject {
  if (text === '') throw invalidSetting('keyTemplate', 'is required');
  if (text.length > MAX_KEY_LENGTH)
    throw invalidSetting('keyTemplate', `must have at most ${MAX_KEY_LENGTH} characters`);
  const key = parsed(parse, text);
  const { modulusLength = Infinity, namedCurve } = key.asymmetricKeyDetails ?? {};
  const isUsable =
    key.asymmetricKeyType === 'rsa'
      ? modulusLength <= MAX_RSA_BITS
      : key.asymmetricKeyType === 'ec' && namedCurve !== undefined;
  if (!isUsable)
    throw invalidSetting('keyTemplate', `must be an EC key, or an RSA key of at most ${MAX_RSA_BITS} bits`);
  return key;
}

function parsed(parse: (text: string, at: string) => KeyObject, text: string): KeyObject {
  try {
    return parse(text, 'keyTemplate');
  } catch (error) {
    // Errors of OpenSSL do not name the mistake.
    if (error instanceof ApiError) throw new RunFault('ValidationError', error.message);
    throw invalidSetting('keyTemplate', 'must be a key in PEM format');
  }
}

/** Throws a `RunFault` for an error of OpenSSL, such as that of a key that is too short for the algorithm. */
export function keyRefused({ message }: Error): never {
  throw invalidSetting('keyTemplate', `cannot be used: ${message}`);
}
