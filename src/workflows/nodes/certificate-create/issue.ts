import { createPublicKey, webcrypto, X509Certificate, type KeyObject } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate as Parsed,
  X509CertificateGenerator,
  type Extension,
  type JsonName,
} from '../../../lib/crypto/x509.js';

const DAY_MS = 86_400_000;
/** Checking a signature with a key of this size takes a few milliseconds. */
const MAX_RSA_BITS = 4096;
/** Names of curves in OpenSSL and in Web Crypto. */
const CURVES: ReadonlyMap<string | undefined, string> = new Map([
  ['prime256v1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);

/** Why a certificate cannot be issued; the message is shown to authors. */
export class IssueFault extends Error {}

/** Certificate to issue. */
export interface CertificateOrder {
  /** Request, public key or private key, in PEM. */
  readonly request: string;
  /** Certificate of the authority, in PEM, and its key. */
  readonly authority: string;
  readonly signingKey: KeyObject;
  /** Name of the hash function in Web Crypto, such as `SHA-256`. */
  readonly hash: string;
  readonly days: number;
  readonly notBefore: Date;
  /** Hexadecimal; random if absent. */
  readonly serialNumber?: string;
  /** Parts of the name, such as `CN`, that replace those of the request. */
  readonly subject: Readonly<Record<string, string>>;
  /** Replace those of the request unless empty. */
  readonly alternativeNames: readonly { type: 'dns' | 'email' | 'ip' | 'url'; value: string }[];
  /** Flags as in `KeyUsageFlags`; 0 for none. */
  readonly keyUsages: number;
  /** Object identifiers. */
  readonly extendedKeyUsages: readonly string[];
}

/** What a request asks for. */
interface Wanted {
  /** In DER. */
  readonly publicKey: Buffer;
  readonly subject: JsonName;
  readonly alternativeNames?: Extension;
}

/** Issues a certificate and returns it in PEM. Throws an `IssueFault` for a request or a key that cannot be used. */
export async function issueCertificate(order: CertificateOrder): Promise<string> {
  const { authority, hash, days, notBefore, serialNumber } = order;
  const wanted = await wantedBy(order.request);
  const names =
    order.alternativeNames.length > 0
      ? new SubjectAlternativeNameExtension([...order.alternativeNames])
      : wanted.alternativeNames;
  const subject = overridden(wanted.subject, order.subject);
  if (subject.length === 0 && !names)
    throw new IssueFault('The certificate must have a common name or a subject alternative name');
  const signingAlgorithm = algorithmOf(order.signingKey, hash);
  const issuer = new Parsed(new Uint8Array(new X509Certificate(authority).raw));
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber,
      subject,
      issuer: issuer.subjectName,
      notBefore,
      notAfter: new Date(notBefore.getTime() + days * DAY_MS),
      signingAlgorithm,
      publicKey: wanted.publicKey,
      signingKey: await webcrypto.subtle.importKey(
        'pkcs8',
        order.signingKey.export({ type: 'pkcs8', format: 'der' }),
        signingAlgorithm,
        false,
        ['sign'],
      ),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        await SubjectKeyIdentifierExtension.create(wanted.publicKey, false, webcrypto),
        await AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto),
        ...(order.keyUsages ? [new KeyUsagesExtension(order.keyUsages, true)] : []),
        ...(order.extendedKeyUsages.length > 0
          ? [new ExtendedKeyUsageExtension([...order.extendedKeyUsages])]
          : []),
        ...(names ? [names] : []),
      ],
    },
    webcrypto,
  );
  return certificate.toString('pem');
}

async function wantedBy(pem: string): Promise<Wanted> {
  if (!/-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(pem)) {
    const publicKey = derOf(
      () => createPublicKey(pem),
      'csrTemplate must be a certificate request or a key in PEM',
    );
    return { publicKey, subject: [] };
  }
  const request = parsed(pem);
  const raw = Buffer.from(request.publicKey.rawData);
  const publicKey = derOf(
    () => createPublicKey({ key: raw, format: 'der', type: 'spki' }),
    'The key of the certificate request cannot be used',
  );
  if (!(await request.verify(webcrypto).catch(() => false)))
    throw new IssueFault('The signature of the certificate request is not valid');
  const alternativeNames = request.extensions.find((each) => each instanceof SubjectAlternativeNameExtension);
  return {
    publicKey,
    subject: request.subjectName.toJSON(),
    ...(alternativeNames && { alternativeNames }),
  };
}

function parsed(pem: string): Pkcs10CertificateRequest {
  try {
    return new Pkcs10CertificateRequest(pem);
  } catch {
    throw new IssueFault('csrTemplate is not a readable certificate request');
  }
}

/** Returns a public key in DER. Throws an `IssueFault` for one of another kind, or that cannot be read. */
function derOf(parse: () => KeyObject, message: string): Buffer {
  let key: KeyObject;
  try {
    key = parse();
  } catch {
    throw new IssueFault(message);
  }
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (!['rsa', 'ec', 'ed25519'].includes(key.asymmetricKeyType ?? '') || modulusLength > MAX_RSA_BITS)
    throw new IssueFault(
      `The key must be an EC or Ed25519 key, or an RSA key of at most ${MAX_RSA_BITS} bits`,
    );
  return key.export({ type: 'spki', format: 'der' });
}

function overridden(subject: JsonName, overrides: Readonly<Record<string, string>>): JsonName {
  const given = Object.entries(overrides).map(([type, value]) => ({ [type]: [value] }));
  const replaced = new Set(Object.keys(overrides));
  const kept = subject.filter((part) => !Object.keys(part).some((type) => replaced.has(type)));
  return [...kept, ...given];
}

function algorithmOf(key: KeyObject, hash: string): { name: string; hash: string; namedCurve?: string } {
  const { asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0, namedCurve } = {} } = key;
  const curve = CURVES.get(namedCurve);
  if (asymmetricKeyType === 'ec' && curve) return { name: 'ECDSA', hash, namedCurve: curve };
  if (asymmetricKeyType === 'rsa' && modulusLength <= MAX_RSA_BITS)
    return { name: 'RSASSA-PKCS1-v1_5', hash };
  throw new IssueFault(
    `The key of the credential must be a P-256, P-384 or P-521 key, or an RSA key of at most ${MAX_RSA_BITS} bits`,
  );
}
