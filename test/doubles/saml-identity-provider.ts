import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import samlp from 'samlp';
import { SignedXml } from 'xml-crypto';

/** A signing key and its certificate in PEM. */
export interface KeyPair {
  key: string;
  cert: string;
}

/**
 * Contents of a response of the test identity provider; everything except `email`, audience and addresses has a
 * default.
 */
export interface ResponseOptions extends Partial<KeyPair> {
  /** Entity ID of the provider. */
  issuer: string;
  /** Entity ID of the service. */
  audience: string;
  /** Assertion consumer URL of the service. */
  acsUrl: string;
  email: string;
  /** ID of the answered request; if unset, the response is unsolicited. */
  inResponseTo?: string;
  /** Lifetime in seconds from now. */
  lifetime?: number;
  /** NameID, if different from the email address. */
  nameId?: string;
  nameIdFormat?: string;
  attributes?: Record<string, string | string[]>;
  recipient?: string;
  destination?: string;
  statusCode?: string;
  signatureAlgorithm?: 'rsa-sha1' | 'rsa-sha256';
  digestAlgorithm?: 'sha1' | 'sha256';
  signAssertion?: boolean;
  signResponse?: boolean;
  encrypted?: boolean;
  /** Changes the XML before it is signed, to simulate a faulty provider. */
  edit?: (xml: string) => string;
}

/** The provider's key pair, and one that does not belong to it. */
export const providerPair = readPair('idp');
export const foreignPair = readPair('other-idp');

/** Returns a Base64 response created and signed by the identity-provider library. */
export async function signedResponse(options: ResponseOptions): Promise<string> {
  return toBase64(await signedXml(options));
}

/** Returns the ID, issuer and addresses of the request that an identity provider receives at `url`. */
export function readRequest(
  url: string,
): Record<'id' | 'issuer' | 'acsUrl' | 'destination', string | undefined> {
  const request = new URL(url).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(request, 'base64')).toString();
  return {
    id: / ID="([^"]*)"/.exec(xml)?.[1],
    issuer: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1],
    acsUrl: / AssertionConsumerServiceURL="([^"]*)"/.exec(xml)?.[1],
    destination: / Destination="([^"]*)"/.exec(xml)?.[1],
  };
}

/** Same as `signedResponse`, as XML. */
export async function signedXml(options: ResponseOptions): Promise<string> {
  const { edit, ...rest } = options;
  if (!edit) return libraryXml(rest);
  const pair = { key: options.key ?? providerPair.key, cert: options.cert ?? providerPair.cert };
  return signElement(edit(await libraryXml({ ...rest, signAssertion: false })), 'Assertion', pair);
}

export function toBase64(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

function libraryXml(options: Omit<ResponseOptions, 'edit'>): Promise<string> {
  const attributes = { email: options.email, ...options.attributes };
  const identity = {
    nameIdentifier: options.nameId ?? options.email,
    nameIdentifierFormat: options.nameIdFormat ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  };
  const cert = options.cert ?? providerPair.cert;
  return new Promise((resolve, reject) => {
    samlp.getSamlResponse(
      {
        key: options.key ?? providerPair.key,
        cert,
        issuer: options.issuer,
        audience: options.audience,
        recipient: options.recipient ?? options.acsUrl,
        destination: options.destination ?? options.acsUrl,
        inResponseTo: options.inResponseTo,
        lifetimeInSeconds: options.lifetime ?? 300,
        signatureAlgorithm: options.signatureAlgorithm ?? 'rsa-sha256',
        digestAlgorithm: options.digestAlgorithm ?? 'sha256',
        signAssertion: options.signAssertion ?? true,
        signResponse: options.signResponse ?? false,
        samlStatusCode: options.statusCode,
        ...(options.encrypted && { encryptionCert: cert, encryptionPublicKey: cert }),
        profileMapper: () => ({ getClaims: () => attributes, getNameIdentifier: () => identity }),
      },
      {},
      (error, xml) => (error ? reject(error) : resolve(xml)),
    );
  });
}

/** Signs one element, selected by its local name, with an enveloped signature after its `Issuer`. */
function signElement(xml: string, name: string, pair: KeyPair): string {
  const element = `//*[local-name(.)='${name}']`;
  const signature = new SignedXml({ privateKey: pair.key, publicCert: pair.cert });
  signature.signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
  signature.canonicalizationAlgorithm = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  signature.addReference({
    xpath: element,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signature.computeSignature(xml, {
    location: { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signature.getSignedXml();
}

function readPair(name: string): KeyPair {
  const read = (part: string) =>
    readFileSync(new URL(`../fixtures/${name}-${part}.pem`, import.meta.url), 'utf8');
  return { key: read('key'), cert: read('cert') };
}
