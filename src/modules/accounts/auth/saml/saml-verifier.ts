import { Unauthorized } from '../../../../lib/errors/errors.js';
import {
  samlRequestUrl,
  verifyAssertion,
  type SamlIssuer,
  type SamlService,
} from '../../../../lib/saml/assertions.js';
import { readIdentity, type SamlIdentity } from './saml-identity.js';

export type { SamlIdentity, SamlService };

/** Identity provider for the users of one e-mail domain. */
export interface SamlProvider extends SamlIssuer {
  /** E-mail domain, in lower case. */
  domain: string;
}

/** State between a request and its response, shared by all processes of the platform. */
export interface SamlStore {
  /** Returns the ID of a new request that can be answered until `until`. */
  issueRequest(domain: string, until: Date): string;
  /** Returns `true` exactly once for an unexpired ID issued for that domain. */
  consumeRequest(id: string, domain: string): Promise<boolean>;
  /** Returns `true` if the assertion ID is new, and stores it until `until`. */
  claimAssertion(id: string, domain: string, until: Date): Promise<boolean>;
}

const REQUEST_LIFETIME_MS = 15 * 60_000;

/**
 * Returns the URL of the identity provider with a sign-in request, which is valid for 15 minutes. The domain is sent as
 * RelayState, so that the recipient of the response knows its domain.
 */
export async function createSamlRequest(
  provider: SamlProvider,
  service: SamlService,
  store: SamlStore,
): Promise<string> {
  const id = store.issueRequest(provider.domain, new Date(Date.now() + REQUEST_LIFETIME_MS));
  return samlRequestUrl(provider, service, id, provider.domain);
}

/**
 * Verifies a Base64-encoded SAML response and returns the identity of the user. The assertion itself must be signed
 * with one of the provider's certificates. A signature of the whole response must be valid if present, but does not
 * replace it. The assertion must not be encrypted, must answer one of our requests for that domain, and can be used
 * once.
 *
 * Throws `Unauthorized` with the same message for every error. The reason is its `cause`, for the log only.
 */
export async function verifySamlResponse(
  response: string,
  provider: SamlProvider,
  service: SamlService,
  store: SamlStore,
  now = new Date(),
): Promise<SamlIdentity> {
  const login = await readLogin(response, provider, service, now).catch((cause: unknown) => {
    throw rejection(cause);
  });
  if (!(await store.consumeRequest(login.requestId, provider.domain))) {
    throw rejection(new Error('no request of this domain is waiting for the response'));
  }
  if (!(await store.claimAssertion(login.assertionId, provider.domain, login.expiresAt))) {
    throw rejection(new Error('the assertion was used before'));
  }
  return login.identity;
}

interface SamlLogin {
  identity: SamlIdentity;
  requestId: string;
  assertionId: string;
  expiresAt: Date;
}

/** Performs all stateless checks. Only the signed assertion determines the identity. */
async function readLogin(
  response: string,
  provider: SamlProvider,
  service: SamlService,
  now: Date,
): Promise<SamlLogin> {
  const { assertion, requestId, ...rest } = await verifyAssertion(response, provider, service, now);
  if (!requestId) throw new Error('the response has no InResponseTo');
  return { identity: readIdentity(assertion, provider.domain), requestId, ...rest };
}

function rejection(cause: unknown): Unauthorized {
  return Object.assign(new Unauthorized('SAML response is not valid'), { cause });
}
