import type { CacheProvider, SAML, SamlConfig } from '@node-saml/passport-saml';
import { Unauthorized } from '../../../../lib/errors/errors.js';
import { readIdentity, type SamlIdentity } from './saml-identity.js';
import { childrenOf, descendants, onlyChild, readXml, textOf, type XmlElement } from './xml.js';

export type { SamlIdentity };

/** The identity provider that signs in the users of one e-mail domain. */
export interface SamlProvider {
  /** E-mail domain, lower case. */
  domain: string;
  /** Where the browser is sent with the request. */
  entryPoint: string;
  /** The provider's entity id. */
  issuer: string;
  /** Its signing certificates, PEM: several during a change of keys. */
  certificates: string[];
}

/** This platform as its identity providers know it. */
export interface SamlService {
  /** Our entity id, the audience of every assertion. */
  entityId: string;
  /** The assertion consumer URL. */
  acsUrl: string;
}

/** What has to be remembered between a request and its one answer, for every process of the platform. */
export interface SamlStore {
  /** The id of a new request that waits for its answer until `until`. */
  issueRequest(domain: string, until: Date): string;
  /** True exactly once for an id issued for that domain and not yet expired. */
  takeRequest(id: string, domain: string): Promise<boolean>;
  /** True when that assertion id was not seen before; remembers it until `until`. */
  claimAssertion(id: string, domain: string, until: Date): Promise<boolean>;
}

const REQUEST_LIFETIME_MS = 15 * 60_000;
const CLOCK_SKEW_MS = 60_000;
const MAX_BYTES = 256 * 1024;

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The signature and digest methods accepted, by element: nothing that rests on SHA-1. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
};

/** Requests are known to the `SamlStore`, which can take one atomically; the library's own cache cannot. */
const NO_CACHE: CacheProvider = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/**
 * Makes the URL of the identity provider that asks for a sign-in; the request is good for 15 minutes. The
 * domain travels as RelayState, so that whoever receives the answer knows whose it is.
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
 * Verifies the base64 text of a SAML response and tells who signed in. The assertion itself must be signed by one of
 * the provider's certificates (a signature around the whole response must hold where there is one, but does not
 * replace it), must not be encrypted, must answer a request of ours for that domain, and counts once.
 *
 * Throws `Unauthorized`, with one message for every reason; the reason is its `cause`, for the log alone.
 */
export async function verifySamlResponse(
  response: string,
  provider: SamlProvider,
  service: SamlService,
  store: SamlStore,
  now = new Date(),
): Promise<SamlIdentity> {
  const login = await readLogin(response, provider, service, now).catch((cause: unknown) => {
    throw refusal(cause);
  });
  if (!(await store.takeRequest(login.requestId, provider.domain))) {
    throw refusal(new Error('no request of this domain waits for the response'));
  }
  if (!(await store.claimAssertion(login.assertionId, provider.domain, login.until))) {
    throw refusal(new Error('the assertion was used before'));
  }
  return login.identity;
}

interface SamlLogin {
  identity: SamlIdentity;
  requestId: string;
  assertionId: string;
  /** When the assertion is refused for its age alone. */
  until: Date;
}

/** Every check that needs no memory. Only the assertion that the signature covers says who signed in. */
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
  must(textOf(onlyChild(assertion, 'Issuer')) === provider.issuer, 'the assertion has another issuer');
  must(childrenOf(assertion, 'AuthnStatement').length > 0, 'the assertion is not about a sign-in');
  must(isTimely(onlyChild(assertion, 'Conditions'), now), 'the conditions do not hold at this time');

  const confirmation = childrenOf(onlyChild(assertion, 'Subject'), 'SubjectConfirmation')
    .filter((candidate) => candidate.attributes.get('Method') === BEARER)
    .flatMap((candidate) => childrenOf(candidate, 'SubjectConfirmationData'))
    .find((data) => data.attributes.get('Recipient') === service.acsUrl && isTimely(data, now));
  must(confirmation, 'no bearer confirmation is for us and for this time');
  const requestId = confirmation.attributes.get('InResponseTo');
  must(requestId, 'the response answers no request');
  must(
    requestId === envelope.attributes.get('InResponseTo'),
    'response and assertion answer different requests',
  );

  const assertionId = assertion.attributes.get('ID');
  must(assertionId, 'the assertion has no ID');
  const until = new Date(timeOf(confirmation, 'NotOnOrAfter')! + CLOCK_SKEW_MS);
  return { identity: readIdentity(assertion, provider.domain), requestId, assertionId, until };
}

function decode(response: string): string {
  const base64 = response.replace(/[ \t\r\n]/g, '');
  must(base64.length <= Math.ceil(MAX_BYTES / 3) * 4, `the response is larger than ${MAX_BYTES} bytes`);
  must(BASE64.test(base64), 'the response is not base64');
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
}

/** Checks around the assertion. This part may be unsigned: it is good for a refusal, never for an identity. */
function checkEnvelope(response: XmlElement, provider: SamlProvider, service: SamlService): void {
  must(response.name === 'Response', 'not a SAML response');
  const elements = [...descendants(response)];
  must(!elements.some(({ name }) => name.startsWith('Encrypted')), 'encrypted assertions are not supported');
  const status = onlyChild(onlyChild(response, 'Status'), 'StatusCode').attributes.get('Value');
  must(status === SUCCESS, `the provider answered with status ${status}`);
  // Anywhere, not only where it belongs: a second one has no purpose but to be mistaken for the first.
  must(
    elements.filter(({ name }) => name === 'Assertion').length === 1,
    'there is not exactly one assertion',
  );
  must(response.attributes.get('Destination') === service.acsUrl, 'the response has another destination');
  for (const issuer of childrenOf(response, 'Issuer')) {
    must(textOf(issuer) === provider.issuer, 'the response has another issuer');
  }
  for (const { name, attributes } of elements) {
    if (!Object.hasOwn(ALGORITHMS, name)) continue;
    // By any prefix: parsers differ in which of two they take.
    const methods = [...attributes].filter(([attribute]) => /(?:^|:)Algorithm$/.test(attribute));
    must(
      methods.length === 1 && ALGORITHMS[name]!.includes(methods[0]![1]),
      `${name} is not an accepted algorithm`,
    );
  }
}

/** The XML of the assertion exactly as its signature covers it, once the library has found us in its audience. */
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
  must(signed, 'the response carries no assertion');
  return signed;
}

/** The library, which is loaded only where somebody signs in this way: it brings several parsers. */
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
    // How a user proves who they are is for the provider to decide: naming a method refuses all stronger ones.
    disableRequestedAuthnContext: true,
    // Times are checked here, against one clock.
    acceptedClockSkewMs: -1,
    cacheProvider: NO_CACHE,
  };
}

/** Whether `now` lies between NotBefore (where given) and NotOnOrAfter (required). */
function isTimely(element: XmlElement, now: Date): boolean {
  const notBefore = timeOf(element, 'NotBefore') ?? -Infinity;
  const notOnOrAfter = timeOf(element, 'NotOnOrAfter') ?? -Infinity;
  return now.getTime() + CLOCK_SKEW_MS >= notBefore && now.getTime() - CLOCK_SKEW_MS < notOnOrAfter;
}

function timeOf(element: XmlElement, name: string): number | undefined {
  const value = element.attributes.get(name);
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  // Without a zone the text would be read in the zone of this machine.
  must(/(?:Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(time), `${name} is not a time`);
  return time;
}

function must(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

function refusal(cause: unknown): Unauthorized {
  return Object.assign(new Unauthorized('SAML response is not valid'), { cause });
}
