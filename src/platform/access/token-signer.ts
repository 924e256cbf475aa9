import jwt from 'jsonwebtoken';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

export const ISSUER = 'fieldwright';
export const ALGORITHM = 'ES256';
/** Ten years: longer is for ever, and says so with 0. */
export const LONGEST_TTL_SECONDS = 10 * 365 * 86_400;

/** What decides on whether a device could still sign in with its certificate. */
export interface CertificateClaim {
  /** SHA-256 of the whole of it, hexadecimal. */
  digest: string;
  /** Whether it is made out to the device: its common name is the id. */
  own: boolean;
  /** The certificate authority of the application that signed it. */
  authority: string;
  /** SHA-1 of the certificate with which it did, as the authority shows it. */
  issuer: string;
}

/** What a token says of itself; everything else is looked up. */
export interface Claims {
  /** The user, or the application, instance or device whose token it is. */
  sub: string;
  /** What `sub` is where it is no user. */
  ownerType?: 'application' | 'instance' | 'device';
  /** Of a device: the access key that it signed in with. */
  key?: string;
  /** Of a device that signed in with a certificate: which that was. */
  certificate?: CertificateClaim;
  scope: string[];
  /** The row of an API token; absent for a sign-in token. */
  jti?: string;
  /** Seconds since the epoch, with milliseconds. */
  iat: number;
  /** Seconds since the epoch; absent for a token that does not expire. */
  exp?: number;
}

/** When a token was issued, in the milliseconds that cutoffs have too; seconds with a fraction are no exact number. */
export const issuedAtMs = ({ iat }: Pick<Claims, 'iat'>): number => Math.round(iat * 1000);

/** Signs tokens with the platform's key. Verification takes the public half: it never leaves the process either. */
export class TokenSigner {
  readonly publicKey: KeyObject;
  readonly keyId: string;

  constructor(private readonly privateKey: KeyObject) {
    this.publicKey = createPublicKey(privateKey);
    const spki = this.publicKey.export({ type: 'spki', format: 'der' });
    this.keyId = createHash('sha256').update(spki).digest('hex').slice(0, 16);
  }

  /**
   * A signed token. `ttl` is in seconds, 0 for a token that does not expire; `expires` sets the end itself. A sign-in token
   * is compared with its user's cutoff, so its time is one of the database's clock; others tell of no more than this
   * process's.
   */
  sign(
    claims: Pick<Claims, 'sub' | 'jti' | 'ownerType' | 'key' | 'certificate'> & { scope: readonly string[] },
    life: { ttl: number; issuedAt: Date } | { expires?: Date },
  ): string {
    const lives = 'ttl' in life;
    const iat = (lives ? life.issuedAt.getTime() : Date.now()) / 1000;
    const exp = lives
      ? life.ttl === 0
        ? undefined
        : iat + life.ttl
      : life.expires && life.expires.getTime() / 1000;
    const payload = { ...claims, iat, ...(exp === undefined ? {} : { exp }) };
    return jwt.sign(payload, this.privateKey, { algorithm: ALGORITHM, issuer: ISSUER, keyid: this.keyId });
  }
}
