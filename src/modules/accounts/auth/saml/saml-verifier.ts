import type { CacheProvider, SAML, SamlConfig } from '@node-saml/passport-saml';
import { Unauthorized } from '../../../../lib/errors/errors.js';
import { readIdentity, type SamlIdentity } from './saml-identity.js';
import { childrenOf, descendants, onlyChild, readXml, textOf, type XmlElement } from './xml.js';

export type { SamlIdentity };

/** Identity provider for the users of one e-mail domain. */
export interface SamlProvider {
  /** E-mail domain, in lower case. */
  domain: string;
  /** URL to which the browser is redirected with the request. */
  entryPoint: string;
  /** Entity ID of the provider. */
  issuer: string;
  /** Signing certificates of the provider, PEM; several during a key rollover. */
  certificates: string[];
}

/** This platform as a SAML service provider. */
export interface SamlService {
  /** Entity ID of this platform, the audience of every assertion. */
  entityId: string;
  /** Assertion consumer service URL. */
  acsUrl: string;
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
const CLOCK_SKEW_MS = 60_000;
const MAX_BYTES = 256 * 1024;

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Accepted signature and digest methods, by element. Methods based on SHA-1 are not accepted. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
};

/** The `SamlStore` tracks requests because it can consume one atomically; the library's own cache cannot. */
const NO_CACHE: CacheProvider = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

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
  const saml = await libraryWith({ ...libraryOptions(provider, service), generateUniqueId: () => id });
  return saml.getAuthorizeUrlAsync(provider.domain, undefined, {});
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
  /** Time after which the assertion is rejected for its age alone. */
  expiresAt: Date;
}

/** Performs all stateless checks. Only the signed assertion determines the identity. */
async function readLogin(
  response: string,
  provider: SamlProvider,
  service: SamlService,
  now: Date,
): Promise<SamlLogin> {
  const xml = decode(response);
  const envelope = readXml(xml);
  checkEnvelope(envelope, provider, service);

  const assertion = readXml(await signedAssertion(xml, envelope, provider, service));
  assertThat(textOf(onlyChild(assertion, 'Issuer')) === provider.issuer, 'the assertion has another issuer');
  assertThat(childrenOf(assertion, 'AuthnStatement').length > 0, 'the assertion is not about a sign-in');
  assertThat(
    isTimely(onlyChild(assertion, 'Conditions'), now),
    'the conditions do not hold at the current time',
  );

  const confirmation = childrenOf(onlyChild(assertion, 'Subject'), 'SubjectConfirmation')
    .filter((candidate) => candidate.attributes.get('Method') === BEARER)
    .flatMap((candidate) => childrenOf(candidate, 'SubjectConfirmationData'))
    .find((data) => data.attributes.get('Recipient') === service.acsUrl && isTimely(data, now));
  assertThat(confirmation, 'no bearer confirmation is valid for this service and time');
  const requestId = confirmation.attributes.get('InResponseTo');
  assertThat(requestId, 'the response has no InResponseTo');
  assertThat(
    requestId === envelope.attributes.get('InResponseTo'),
    'the response and the assertion refer to different requests',
  );

  const assertionId = assertion.attributes.get('ID');
  assertThat(assertionId, 'the assertion has no ID');
  const expiresAt = new Date(timeOf(confirmation, 'NotOnOrAfter')! + CLOCK_SKEW_MS);
  return { identity: readIdentity(assertion, provider.domain), requestId, assertionId, expiresAt };
}

function decode(response: string): string {
  const base64 = response.replace(/[ \t\r\n]/g, '');
  assertThat(base64.length <= Math.ceil(MAX_BYTES / 3) * 4, `the response is larger than ${MAX_BYTES} bytes`);
  assertThat(BASE64.test(base64), 'the response is not base64');
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
}

/**
 * Performs the checks around the assertion. This part can be unsigned: it can cause a rejection, but never provide an
 * identity.
 */
function checkEnvelope(response: XmlElement, provider: SamlProvider, service: SamlService): void {
  assertThat(response.name === 'Response', 'not a SAML response');
  const elements = [...descendants(response)];
  assertThat(
    !elements.some(({ name }) => name.startsWith('Encrypted')),
    'encrypted assertions are not supported',
  );
  const status = onlyChild(onlyChild(response, 'Status'), 'StatusCode').attributes.get('Value');
  assertThat(status === SUCCESS, `the provider returned the status ${status}`);
  // Searches the whole document: the only purpose of a second assertion is to be mistaken for the first.
  assertThat(
    elements.filter(({ name }) => name === 'Assertion').length === 1,
    'the response must contain exactly one assertion',
  );
  assertThat(
    response.attributes.get('Destination') === service.acsUrl,
    'the response has another destination',
  );
  for (const issuer of childrenOf(response, 'Issuer')) {
    assertThat(textOf(issuer) === provider.issuer, 'the response has another issuer');
  }
  for (const { name, attributes } of elements) {
    if (!Object.hasOwn(ALGORITHMS, name)) continue;
    // Matches any prefix: if there are two attributes, parsers differ in which one they use.
    const methods = [...attributes].filter(([attribute]) => /(?:^|:)Algorithm$/.test(attribute));
    assertThat(
      methods.length === 1 && ALGORITHMS[name]!.includes(methods[0]![1]),
      `${name} is not an accepted algorithm`,
    );
  }
}

/** Returns the XML of the assertion exactly as signed, after the library has verified the audience. */
async function signedAssertion(
  xml: string,
  envelope: XmlElement,
  provider: SamlProvider,
  service: SamlService,
): Promise<string> {
  const saml = await libraryWith({
    ...libraryOptions(provider, service),
    wantAuthnResponseSigned: childrenOf(envelope, 'Signature').length > 0,
  });
  const { profile } = await saml.validatePostResponseAsync({
    SAMLResponse: Buffer.from(xml).toString('base64'),
  });
  const signed = profile?.getAssertionXml?.();
  assertThat(signed, 'the response contains no assertion');
  return signed;
}

/** Loads the library on first use, since it contains several parsers. */
async function libraryWith(config: SamlConfig): Promise<SAML> {
  const { SAML } = await import('@node-saml/passport-saml');
  return new SAML(config);
}

function libraryOptions(provider: SamlProvider, service: SamlService): SamlConfig {
  return {
    entryPoint: provider.entryPoint,
    idpCert: provider.certificates,
    issuer: service.entityId,
    audience: service.entityId,
    callbackUrl: service.acsUrl,
    wantAssertionsSigned: true,
    // The provider decides how users authenticate: requesting a method would exclude stronger ones.
    disableRequestedAuthnContext: true,
    // Times are checked here, against a single clock.
    acceptedClockSkewMs: -1,
    cacheProvider: NO_CACHE,
  };
}

/** Whether `now` is between NotBefore (if present) and NotOnOrAfter (required). */
function isTimely(element: XmlElement, now: Date): boolean {
  const notBefore = timeOf(element, 'NotBefore') ?? -Infinity;
  const notOnOrAfter = timeOf(element, 'NotOnOrAfter') ?? -Infinity;
  return now.getTime() + CLOCK_SKEW_MS >= notBefore && now.getTime() - CLOCK_SKEW_MS < notOnOrAfter;
}

function timeOf(element: XmlElement, name: string): number | undefined {
  const value = element.attributes.get(name);
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  // Without a time zone, the value would be interpreted in the local time zone of the server.
  assertThat(/(?:Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(time), `${name} is not a time`);
  return time;
}

function assertThat(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

function rejection(cause: unknown): Unauthorized {
  return Object.assign(new Unauthorized('SAML response is not valid'), { cause });
}
