import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { Unauthorized, ValidationError } from '../../platform/errors/errors.js';
import { newId } from '../../platform/resource.js';
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

const FIND = 'SELECT domain, entry_point, issuer, certificates, acs_url FROM sso_domains WHERE domain = $1';
/**
 * The provider speaks for its domain, so whoever has the address is its user: linked when they were here before, made
 * otherwise. An address that was never verified proves nothing and is not linked.
 */
const LINK = `INSERT INTO users AS u (id, creation_date, last_updated, email, email_verified, sso_linked, first_name, last_name, last_successful_login, instance_id)
  VALUES ($1, $2, $2, $3, true, true, $4, $5, $2, (SELECT id FROM instances ORDER BY id LIMIT 1))
  ON CONFLICT (email) WHERE permanent_deletion IS NULL DO UPDATE
    SET sso_linked = true, last_successful_login = excluded.last_successful_login, failed_login_count = 0 WHERE u.email_verified RETURNING u.id`;
const EMAIL = /^[^\s@]+@([^\s@]+)$/;

/** Single sign-on: which domains have it, and users who come back from their identity provider. */
@Injectable()
export class SsoService {
  private readonly logger = new Logger(SsoService.name);

  constructor(
    private readonly database: Database,
    private readonly ids: SamlIds,
    private readonly auth: AuthService,
    private readonly throttle: SignInThrottle,
    @Inject(Config) private readonly config: Config,
  ) {}

  /** Where users of the address's domain sign in; nothing where they have passwords. */
  async request(email: string): Promise<SsoRequest | undefined> {
    const domain = EMAIL.exec(email)?.[1]?.toLowerCase();
    if (!domain) throw new ValidationError('email must be an e-mail address');
    const found = await this.find(domain);
    if (!found) return undefined;
    return { ssoType: 'SAML', ssoRequest: await createSamlRequest(found.provider, found.service, this.ids) };
  }

  async signIn(response: SamlResponse, address: string): Promise<AuthedUser> {
    const userId = await this.throttle.attempt(undefined, address, async () => {
      const found = await this.find(response.SAMLDomain.toLowerCase());
      if (!found) throw new Unauthorized('SAML response is not valid');
      const { provider, service } = found;
      const verified = verifySamlResponse(response.SAMLResponse, provider, service, this.ids);
      return this.userOf(await verified.catch((refusal: Error) => this.tellAndThrow(provider, refusal)));
    });
    return this.auth.tokenFor(userId, response);
  }

  /** Callers learn that a response is not valid; why is for the operator who sets the provider up. */
  private tellAndThrow({ domain }: SamlProvider, refusal: Error): never {
    const { message } = (refusal.cause ?? refusal) as Error;
    this.logger.warn(`A SAML response for ${domain} was refused: ${message}`);
    throw refusal;
  }

  private async userOf({ email, firstName, lastName }: SamlIdentity): Promise<string> {
    const [row] = await this.database.run(
      prepared(LINK, [newId(), new Date(), email, firstName ?? null, lastName ?? null]),
    );
    if (!row) throw new Unauthorized('This address belongs to an account that never verified it');
    return row[0]!;
  }

  private async find(domain: string): Promise<{ provider: SamlProvider; service: SamlService } | undefined> {
    const [row] = await this.database.run(prepared(FIND, [domain]));
    if (!row) return undefined;
    const [, entryPoint, issuer, certificates, acsUrl] = row;
    return {
      provider: {
        domain,
        entryPoint: entryPoint!,
        issuer: issuer!,
        certificates: JSON.parse(certificates!) as string[],
      },
      service: {
        entityId: this.config.publicUrl,
        acsUrl: acsUrl ?? `${this.config.publicUrl}/auth/user/saml`,
      },
    };
  }
}
