import jwt from 'jsonwebtoken';
import { Inject, Injectable } from '@nestjs/common';
import { ALGORITHM, ISSUER, issuedAtMs, TokenSigner } from '../../../platform/access/token-signer.js';

/** Another issuer than that of tokens of the API, which therefore refuses tokens of experiences, and the reverse. */
const EXPERIENCE_ISSUER = `${ISSUER}-experience`;

/** Content of the token of an experience user. */
export interface ExperienceToken {
  readonly userId: string;
  readonly issuedAt: Date;
  /** `undefined` for a token that does not expire. */
  readonly expiresAt: Date | undefined;
  /** Value that the workflow added. */
  readonly extraData: unknown;
}

/** Signs and verifies the tokens with which users of experiences sign in. */
@Injectable()
export class ExperienceTokens {
  constructor(@Inject(TokenSigner) private readonly signer: TokenSigner) {}

  sign(applicationId: string, { userId, issuedAt, expiresAt, extraData }: ExperienceToken): string {
    const claims = {
      sub: userId,
      aud: applicationId,
      iat: issuedAt.getTime() / 1000,
      ...(expiresAt && { exp: expiresAt.getTime() / 1000 }),
      ...(extraData !== undefined && { extraData }),
    };
    return this.signer.signClaims(claims, EXPERIENCE_ISSUER);
  }

  /** Returns the content of a token of the application, or `undefined` if it is invalid or has expired. */
  read(applicationId: string, token: string): ExperienceToken | undefined {
    try {
      const claims = jwt.verify(token, this.signer.publicKey, {
        algorithms: [ALGORITHM],
        issuer: EXPERIENCE_ISSUER,
        audience: applicationId,
      }) as { sub: string; iat: number; exp?: number; extraData?: unknown };
      const expiresAt = claims.exp === undefined ? undefined : new Date(claims.exp * 1000);
      // The library only compares whole seconds.
      if (expiresAt && expiresAt.getTime() <= Date.now()) return undefined;
      return {
        userId: claims.sub,
        issuedAt: new Date(issuedAtMs(claims)),
        expiresAt,
        extraData: claims.extraData,
      };
    } catch {
      return undefined;
    }
  }
}
