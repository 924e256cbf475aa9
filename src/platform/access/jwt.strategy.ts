import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Unauthorized } from '../../lib/errors/errors.js';
import { ALGORITHM, ISSUER, TokenSigner, type Claims } from './token-signer.js';

/** Reads the token of a request from the header `Authorization: Bearer …`. No other location is accepted. */
export const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Verifies the signature and the expiration of a token that is not cached. */
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
    // The library only compares whole seconds.
    if (claims.exp !== undefined && claims.exp * 1000 <= Date.now())
      throw new Unauthorized('Access token has expired');
    return claims;
  }
}
