import { uniqueName } from './make.js';
import {
  providerPair,
  readRequest,
  signedResponse,
  type ResponseOptions,
} from '../doubles/saml-identity-provider.js';
import type { TestApp } from '../setup/app.js';
import { SsoDomain } from '../../src/modules/accounts/auth/auth.resource.js';
import { clientAddress } from './sign-in.js';

/** Configured URL of the platform, which is its ID for identity providers. */
export const PUBLIC_URL = 'https://fieldwright.test';
export const ACS_URL = `${PUBLIC_URL}/auth/user/saml`;

/** Returns operations for suites over single sign-on. */
export function samlIn(test: TestApp) {
  /** Creates a domain with single sign-on. */
  async function makeDomain(more: Partial<SsoDomain> = {}): Promise<SsoDomain> {
    const domain = `${uniqueName('corp')}.test`;
    const row = {
      domain,
      entryPoint: `https://idp.${domain}/sso`,
      issuer: `https://idp.${domain}/metadata`,
      certificates: [providerPair.cert],
      acsUrl: null,
      creationDate: new Date(),
      ...more,
    };
    await test.dataSource.manager.insert(SsoDomain, row);
    return row;
  }

  const ask = (email: string) =>
    test.client.get(`/auth/ssoDomain?email=${encodeURIComponent(email)}`, { headers: clientAddress() });

  /** Returns the ID of a new request for the domain. */
  async function requestId({ domain }: SsoDomain): Promise<string> {
    const { body } = await ask(`ada@${domain}`);
    return readRequest(body.ssoRequest).id!;
  }

  /** Returns the response of the domain's provider to a new request, with the given overrides. */
  async function answerOf(domain: SsoDomain, more: Partial<ResponseOptions> = {}): Promise<ResponseOptions> {
    return {
      issuer: domain.issuer,
      audience: PUBLIC_URL,
      acsUrl: domain.acsUrl ?? ACS_URL,
      email: `ada@${domain.domain}`,
      inResponseTo: await requestId(domain),
      ...more,
    };
  }

  const post = ({ domain }: SsoDomain, SAMLResponse: string, more: object = {}) =>
    test.client.post(
      '/auth/user/saml',
      { SAMLResponse, SAMLDomain: domain, ...more },
      { headers: clientAddress() },
    );

  const signInAs = async (domain: SsoDomain, more: Partial<ResponseOptions> = {}, asked?: object) =>
    post(domain, await signedResponse(await answerOf(domain, more)), asked);

  return { makeDomain, ask, requestId, answerOf, post, signInAs };
}
