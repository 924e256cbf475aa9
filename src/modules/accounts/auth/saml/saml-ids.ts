import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../../lib/crypto/secrets.js';
import { SamlIdsRepository } from './saml-ids.repository.js';
import type { SamlStore } from './saml-verifier.js';

/** What the id of a request for a domain is sealed for. */
const contextOf = (domain: string): string => `saml:request:${domain}`;

/**
 * Requests and assertions of single sign-on. The id of a request is its end, sealed: anybody may ask for requests, and what
 * is answered only is kept.
 */
@Injectable()
export class SamlIds implements SamlStore {
  constructor(
    private readonly ids: SamlIdsRepository,
    private readonly secrets: SecretBox,
  ) {}

  issueRequest(domain: string, until: Date): string {
    // XML has ids begin with a letter or an underscore.
    return `_${this.secrets.seal(String(until.getTime()), contextOf(domain))}`;
  }

  async takeRequest(id: string, domain: string): Promise<boolean> {
    const expires = new Date(this.endOf(id, domain));
    return expires.getTime() >= Date.now() && this.ids.claim({ kind: 'request', id, domain, expires });
  }

  claimAssertion(id: string, domain: string, expires: Date): Promise<boolean> {
    return this.ids.claim({ kind: 'assertion', id, domain, expires });
  }

  /** Zero where the id was not issued for the domain. */
  private endOf(id: string, domain: string): number {
    try {
      return Number(this.secrets.open(id.slice(1), contextOf(domain)));
    } catch {
      return 0;
    }
  }
}
