import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Unauthorized } from '../../lib/errors/errors.js';
import { ALGORITHM, ISSUER, TokenSigner, type Claims } from './token-signer.js';

/** The token of a request: the header `Authorization: Bearer …` and nothing else. */
export const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Verifies a token that was not seen a moment ago: its signature and its times. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(@Inject(TokenSigner) signer: TokenSigner) {
    super({
      jwtFromRequest: bearerToken,
      secretOrKey: signer.publicKey as never,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
    });
  }

  validate(claims: Claims): Claims {
    // The library counts whole seconds.
    if (claims.exp !== undefined && claims.exp * 1000 <= Date.now())
      throw new Unauthorized('Access token has expired');
    return claims;
  }
}
