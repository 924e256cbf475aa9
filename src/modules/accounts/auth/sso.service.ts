import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { canonicalDomain, parseAddress, domainOf } from '../../../lib/mail/addresses.js';
import { Unauthorized } from '../../../lib/errors/errors.js';
import { UsersRepository, type SignedIn } from '../users/users.repository.js';
import type { AuthedUser, SamlResponse, SsoRequest } from './auth.resource.js';
import { AuthService } from './auth.service.js';
import {
  createSamlRequest,
  verifySamlResponse,
  type SamlIdentity,
  type SamlProvider,
  type SamlService,
} from './saml/saml-verifier.js';
import { SamlIds } from './saml/saml-ids.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SsoDomainsRepository } from './sso-domains.repository.js';

/** Single sign-on: finds the domains that use it and signs in users with SAML responses. */
@Injectable()
export class SsoService {
  private readonly logger = new Logger(SsoService.name);

  constructor(
    private readonly domains: SsoDomainsRepository,
    private readonly ids: SamlIds,
    private readonly users: UsersRepository,
    private readonly auth: AuthService,
    private readonly throttle: SignInThrottle,
    @Inject(Config) private readonly config: Config,
  ) {}

  /** Returns the sign-in URL for the domain of the address, or `undefined` if its users have passwords. */
  async request(email: string): Promise<SsoRequest | undefined> {
    const found = await this.find(domainOf(parseAddress(email, 'email')));
    if (!found) return undefined;
    return { ssoType: 'SAML', ssoRequest: await createSamlRequest(found.provider, found.service, this.ids) };
  }

  async signIn(response: SamlResponse, address: string): Promise<AuthedUser> {
    const signedIn = await this.throttle.attempt({ address }, async () => {
      const domain = canonicalDomain(response.SAMLDomain);
      const found = domain === undefined ? undefined : await this.find(domain);
      if (!found) throw new Unauthorized('SAML response is not valid');
      const { provider, service } = found;
      const verified = verifySamlResponse(response.SAMLResponse, provider, service, this.ids);
      return this.userOf(await verified.catch((refusal: Error) => this.logAndThrow(provider, refusal)));
    });
    return this.auth.tokenFor(signedIn, response);
  }

  /** Clients only receive the message that a response is not valid; the reason is logged for the operator. */
  private logAndThrow({ domain }: SamlProvider, refusal: Error): never {
    const { message } = (refusal.cause ?? refusal) as Error;
    this.logger.warn(`A SAML response for ${domain} was refused: ${message}`);
    throw refusal;
  }

  private async userOf(named: SamlIdentity): Promise<SignedIn> {
    const user = await this.users.signInNamed(named);
    if (!user) throw new Unauthorized('This address belongs to an account that never verified it');
    return user;
  }

  private async find(domain: string): Promise<{ provider: SamlProvider; service: SamlService } | undefined> {
    const { publicUrl } = this.config;
    const found = await this.domains.find(domain);
    if (!found) return undefined;
    const { entryPoint, issuer, certificates, acsUrl } = found;
    return {
      provider: { domain, entryPoint, issuer, certificates },
      service: { entityId: publicUrl, acsUrl: acsUrl ?? `${publicUrl}/auth/user/saml` },
    };
  }
}
