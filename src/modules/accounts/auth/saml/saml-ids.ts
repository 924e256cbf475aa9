import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../../lib/crypto/secrets.js';
import { SamlIdsRepository } from './saml-ids.repository.js';
import type { SamlStore } from './saml-verifier.js';

/** Returns the encryption context for request IDs of a domain. */
const contextOf = (domain: string): string => `saml:request:${domain}`;

/**
 * Single sign-on requests and assertions. The ID of a request is its encrypted expiration: since any client can create
 * requests, only answered ones are stored.
 */
@Injectable()
export class SamlIds implements SamlStore {
  constructor(
    private readonly ids: SamlIdsRepository,
    private readonly secrets: SecretBox,
  ) {}

  issueRequest(domain: string, until: Date): string {
    // XML IDs must begin with a letter or an underscore.
    return `_${this.secrets.seal(String(until.getTime()), contextOf(domain))}`;
  }

  async consumeRequest(id: string, domain: string): Promise<boolean> {
    const expires = new Date(this.endOf(id, domain));
    return expires.getTime() >= Date.now() && this.ids.claim({ kind: 'request', id, domain, expires });
  }

  claimAssertion(id: string, domain: string, expires: Date): Promise<boolean> {
    return this.ids.claim({ kind: 'assertion', id, domain, expires });
  }

  /** Returns 0 if the ID was not issued for the domain. */
  private endOf(id: string, domain: string): number {
    try {
      return Number(this.secrets.open(id.slice(1), contextOf(domain)));
    } catch {
      return 0;
    }
  }
}
