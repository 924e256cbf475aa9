import type { CacheProvider, SAML, SamlConfig } from '@node-saml/passport-saml';
import { childrenOf, descendants, onlyChild, readXml, textOf, type XmlElement } from './xml.js';

/** Identity provider: a service that signs users in. */
export interface SamlIssuer {
  /** URL to which the browser is redirected with the request. */
  entryPoint: string;
  /** Entity ID of the provider. */
  issuer: string;
  /** Signing certificates of the provider, PEM; several during a key rollover. */
  certificates: string[];
}

/** Service provider: a service that users sign in to. */
export interface SamlService {
  /** Entity ID of the service, the audience of every assertion. */
  entityId: string;
  /** Assertion consumer service URL. */
  acsUrl: string;
}

/** A verified statement of an identity provider about a user. */
export interface SamlAssertion {
  /** The assertion, exactly as it was signed. */
  assertion: XmlElement;
  assertionId: string;
  /** ID of the request that it answers; `undefined` if the provider sent it unasked. */
  requestId: string | undefined;
  /** Time after which the assertion is rejected for its age alone. */
  expiresAt: Date;
}

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

/** Callers track requests, because they can consume one atomically; the cache of the library cannot. */
const NO_CACHE: CacheProvider = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/**
 * Returns the URL of the identity provider with a sign-in request.
 * @param requestId ID that the response repeats
 * @param relayState text that the provider sends back with the response; empty for none
 */
export async function samlRequestUrl(
  provider: SamlIssuer,
  service: SamlService,
  requestId: string,
  relayState: string,
): Promise<string> {
  const saml = await libraryWith({ ...libraryOptions(provider, service), generateUniqueId: () => requestId });
  return saml.getAuthorizeUrlAsync(relayState, undefined, {});
}

/**
 * Verifies a Base64-encoded response. The assertion itself must be signed with one of the provider's certificates. A
 * signature of the whole response must be valid if present, but does not replace it. The assertion must not be encrypted.
 *
 * Throws an `Error` with the reason. The caller must check that the request was its own, and that the assertion is new.
 */
export async function verifyAssertion(
  response: string,
  provider: SamlIssuer,
  service: SamlService,
  now: Date,
): Promise<SamlAssertion> {
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
  assertThat(
    requestId === envelope.attributes.get('InResponseTo'),
    'the response and the assertion refer to different requests',
  );

  const assertionId = assertion.attributes.get('ID');
  assertThat(assertionId, 'the assertion has no ID');
  const expiresAt = new Date(timeOf(confirmation, 'NotOnOrAfter')! + CLOCK_SKEW_MS);
  return { assertion, requestId, assertionId, expiresAt };
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
function checkEnvelope(response: XmlElement, provider: SamlIssuer, service: SamlService): void {
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
  provider: SamlIssuer,
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

function libraryOptions(provider: SamlIssuer, service: SamlService): SamlConfig {
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

/** Throws an `Error` with the problem unless the condition holds. */
function assertThat(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}
