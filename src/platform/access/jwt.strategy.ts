import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Unauthorized } from '../errors/errors.js';
import { ALGORITHM, ISSUER, TokenSigner, type Claims } from '../tokens/token-signer.js';
import { AccessCache } from './access-cache.js';
import { wantedPlace } from './places.js';
import type { Principal } from './principal.js';
import { Principals } from './principals.js';
import type { GuardedRequest } from './request.js';

/** The token of a request: the header `Authorization: Bearer …` and nothing else. */
export const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Verifies a token that was not seen a moment ago, and reads whom it speaks for and what its request is about. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    @Inject(TokenSigner) signer: TokenSigner,
    private readonly principals: Principals,
    private readonly cache: AccessCache,
  ) {
    super({
      jwtFromRequest: bearerToken,
      secretOrKey: signer.publicKey as never,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      passReqToCallback: true,
    });
  }

  async validate(request: GuardedRequest, claims: Claims): Promise<Principal> {
    // The library counts whole seconds.
    if (claims.exp !== undefined && claims.exp * 1000 <= Date.now())
      throw new Unauthorized('Access token has expired');
    const token = bearerToken(request)!;
    const wanted = wantedPlace(request);
    const { principal, place } = await this.cache.load(token, () =>
      this.principals.of(token, claims, wanted),
    );
    if (wanted) request.place = place ?? null;
    return principal;
  }
}
