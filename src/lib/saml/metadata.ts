import type { SamlIssuer, SamlService } from './assertions.js';
import { childrenOf, descendants, onlyChild, readXml, textOf, type XmlElement } from './xml.js';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const MAX_LENGTH = 256 * 1024;
/** Metadata of large providers describe hundreds of claims. Nothing in them is verified, so reading takes linear time. */
const MAX_ELEMENTS = 5_000;
const MAX_CERTIFICATES = 10;
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/g;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads the metadata of an identity provider. Throws an `Error` with the reason. */
export function readProvider(xml: string): SamlIssuer {
  const entity = entityOf(xml);
  const role = onlyChild(entity, 'IDPSSODescriptor');
  const certificates = childrenOf(role, 'KeyDescriptor')
    .filter(({ attributes }) => attributes.get('use') !== 'encryption')
    .flatMap((key) => [...descendants(key)].filter(({ name }) => name === 'X509Certificate'))
    .map(pemOf);
  if (certificates.length === 0 || certificates.length > MAX_CERTIFICATES)
    throw new Error(`the provider must have 1 to ${MAX_CERTIFICATES} signing certificates`);
  return {
    issuer: idOf(entity),
    entryPoint: locationOf(role, 'SingleSignOnService', REDIRECT),
    certificates,
  };
}

/** Reads the metadata of a service provider. Throws an `Error` with the reason. */
export function readService(xml: string): SamlService {
  const entity = entityOf(xml);
  const role = onlyChild(entity, 'SPSSODescriptor');
  return { entityId: idOf(entity), acsUrl: locationOf(role, 'AssertionConsumerService', POST) };
}

/** Metadata may have comments, unlike responses: nothing is signed for this reader. */
function entityOf(xml: string): XmlElement {
  if (xml.length > MAX_LENGTH) throw new Error(`the metadata has more than ${MAX_LENGTH} characters`);
  const entity = readXml(xml.trim().replace(COMMENT, ''), MAX_ELEMENTS);
  if (entity.name !== 'EntityDescriptor') throw new Error('the metadata does not describe an entity');
  return entity;
}

function idOf({ attributes }: XmlElement): string {
  const id = attributes.get('entityID');
  if (!id) throw new Error('the entity has no entityID');
  return id;
}

/** Returns the URL of the first endpoint with a binding; the default one wins. */
function locationOf(role: XmlElement, name: string, binding: string): string {
  const endpoints = childrenOf(role, name).filter(({ attributes }) => attributes.get('Binding') === binding);
  const preferred = endpoints.find(({ attributes }) => attributes.get('isDefault') === 'true');
  const location = (preferred ?? endpoints[0])?.attributes.get('Location');
  if (location === undefined || !/^https?:\/\//i.test(location) || !URL.canParse(location))
    throw new Error(`${name} has no URL with the binding ${binding.slice(binding.lastIndexOf(':') + 1)}`);
  return location;
}

function pemOf(certificate: XmlElement): string {
  const base64 = textOf(certificate).replace(/\s/g, '');
  if (!BASE64.test(base64)) throw new Error('a certificate is not base64');
  const lines = base64.match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
