import { randomBytes } from 'node:crypto';
import { Unauthorized } from '../../src/lib/errors/errors.js';
import {
  createSamlRequest,
  verifySamlResponse,
  type SamlProvider,
  type SamlService,
  type SamlStore,
} from '../../src/modules/accounts/auth/saml/saml-verifier.js';
import { providerPair, readRequest, type ResponseOptions } from '../doubles/saml-identity-provider.js';

export const provider: SamlProvider = {
  domain: 'corp.test',
  entryPoint: 'https://idp.corp.test/sso?tenant=7',
  issuer: 'https://idp.corp.test/metadata',
  certificates: [providerPair.cert],
};
export const service: SamlService = {
  entityId: 'https://fieldwright.test/saml',
  acsUrl: 'https://fieldwright.test/sso?a=1&b=2',
};

/** In-memory replacement for the platform's database; `clock` is the time for expiry checks. */
export function memoryStore(): SamlStore & { clock: Date } {
  const requests = new Map<string, { domain: string; until: Date }>();
  const assertions = new Set<string>();
  return {
    clock: new Date(),
    issueRequest(domain, until) {
      const id = `_${randomBytes(20).toString('hex')}`;
      requests.set(id, { domain, until });
      return id;
    },
    async consumeRequest(id, domain) {
      const request = requests.get(id);
      if (!request || request.domain !== domain || request.until <= this.clock) return false;
      return requests.delete(id);
    },
    async claimAssertion(id, domain) {
      const known = assertions.has(`${domain} ${id}`);
      assertions.add(`${domain} ${id}`);
      return !known;
    },
  };
}

/** Starts a sign-in and returns the pending request with everything the provider needs to answer it. */
export async function startSignIn() {
  const store = memoryStore();
  const inResponseTo = readRequest(await createSamlRequest(provider, service, store)).id!;
  return {
    store,
    inResponseTo,
    options: (overrides: Partial<ResponseOptions> = {}): ResponseOptions => ({
      issuer: provider.issuer,
      audience: service.entityId,
      acsUrl: service.acsUrl,
      email: 'ada@corp.test',
      inResponseTo,
      ...overrides,
    }),
    verify: (response: string, now?: Date) => verifySamlResponse(response, provider, service, store, now),
  };
}

/** Expects the generic error returned for every rejected response, and the specific reason in the log. */
export async function expectRefusal(verification: Promise<unknown>, reason: RegExp): Promise<void> {
  const error = await verification.then(
    (identity) => Promise.reject(new Error(`accepted as ${JSON.stringify(identity)}`)),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(Unauthorized);
  expect((error as Error).message).toBe('SAML response is not valid');
  expect(String((error as Error).cause)).toMatch(reason);
}
