import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Unauthorized } from '../errors/errors.js';
import { PrincipalCache } from '../tokens/principal-cache.js';
import { ALGORITHM, ISSUER, TokenSigner, type Claims } from '../tokens/token-signer.js';
import type { Principal } from './principal.js';
import { Principals } from './principals.js';

/** The token of a request: the header `Authorization: Bearer …` and nothing else. */
export const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Verifies a token that was not seen a moment ago, and reads whom it speaks for. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    @Inject(TokenSigner) signer: TokenSigner,
    private readonly principals: Principals,
    private readonly cache: PrincipalCache,
  ) {
    super({
      jwtFromRequest: bearerToken,
      secretOrKey: signer.publicKey as never,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      passReqToCallback: true,
    });
  }

  async validate(request: Request, claims: Claims): Promise<Principal> {
    // The library counts whole seconds.
    if (claims.exp !== undefined && claims.exp * 1000 <= Date.now())
      throw new Unauthorized('Access token has expired');
    const token = bearerToken(request)!;
    return this.cache.load(token, () => this.principals.of(token, claims));
  }
}
