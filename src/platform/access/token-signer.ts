import jwt from 'jsonwebtoken';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { KindName } from './kinds/kinds.js';

export const ISSUER = 'fieldwright';
export const ALGORITHM = 'ES256';
/** Maximum lifetime of ten years; tokens that never expire use 0. */
export const MAX_TTL_SECONDS = 10 * 365 * 86_400;

/** Data that determines whether a device could still sign in with its certificate. */
export interface CertificateClaim {
  /** SHA-256 of the certificate, hexadecimal. */
  digest: string;
  /** Whether the certificate is issued to the device: its common name is the device ID. */
  own: boolean;
  /** Certificate authority of the application that signed the certificate. */
  authority: string;
  /** SHA-1 fingerprint of the issuing certificate, as shown by the authority. */
  issuer: string;
}

/** Claims of a token; all other data is looked up. */
export interface Claims {
  /** ID of the user, application, instance or device that the token belongs to. */
  sub: string;
  /** Type of `sub`, if it is not a user. */
  ownerType?: Exclude<KindName, 'user' | 'flow'>;
  /** Device tokens: access key with which the device signed in. */
  key?: string;
  /** Device tokens: certificate with which the device signed in, if any. */
  certificate?: CertificateClaim;
  scope: string[];
  /** ID of the row of an API token; absent for session tokens. */
  jti?: string;
  /** Seconds since the epoch, with milliseconds. */
  iat: number;
  /** Seconds since the epoch; absent for tokens that do not expire. */
  exp?: number;
}

/** Returns the time of issue in milliseconds, like cutoffs, because fractional seconds are not exact numbers. */
export const issuedAtMs = ({ iat }: Pick<Claims, 'iat'>): number => Math.round(iat * 1000);

/**
 * Signs tokens with the key of the platform. Verification uses the public key, which does not leave the process either.
 */
export class TokenSigner {
  readonly publicKey: KeyObject;
  readonly keyId: string;

  constructor(private readonly privateKey: KeyObject) {
    this.publicKey = createPublicKey(privateKey);
    const spki = this.publicKey.export({ type: 'spki', format: 'der' });
    this.keyId = createHash('sha256').update(spki).digest('hex').slice(0, 16);
  }

  /**
   * Signs a token. `ttl` is in seconds, 0 for a token that does not expire; `expires` sets the expiry directly. The
   * time of issue of session tokens is compared with the cutoff of the user, so it comes from the clock of the
   * database. Other tokens use the clock of this process.
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
    return this.signClaims(payload, ISSUER);
  }

  /** Signs claims for an issuer. Tokens of any other than `ISSUER` are no tokens of the API. */
  signClaims(claims: object, issuer: string): string {
    return jwt.sign(claims, this.privateKey, { algorithm: ALGORITHM, issuer, keyid: this.keyId });
  }
}
