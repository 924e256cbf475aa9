import { canonicalDomain } from '../../../lib/mail/addresses.js';
import { isValidAt, type Certificate } from '../../../platform/certificates/certificate.js';
import type { CertificateChain, PemChain } from '../../../platform/certificates/certificate-tasks.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { SealedColumn } from '../../../platform/sealed/sealed-column.js';

const FIELD = 'experienceDomain';

/** Encrypted private key of a domain. */
export const DOMAIN_KEY = new SealedColumn('experience_domains:ssl_key_sealed');

const WILDCARD = '*.';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
/** A name that ends with a digit is an IP address. */
const TOP_LEVEL = /\.[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** Certificate, key and bundle of a domain; the certificate and key are either both set or both absent. */
export interface DomainCertificate {
  sslCert?: string | null;
  sslKey?: string | null;
  sslBundle?: string | null;
}

/** Normalizes a domain name for storage and comparison. Throws 400 if it is invalid. */
export function domainNameOf(text: string): string {
  const isWildcard = text.startsWith(WILDCARD);
  const domain = canonicalDomain(isWildcard ? text.slice(WILDCARD.length) : text);
  // Wildcards directly below a top-level domain are rejected, because no single owner controls them.
  if (domain === undefined || !TOP_LEVEL.test(domain))
    throw new ValidationError(
      `${FIELD}.domainName must be a domain such as pumps.example.com or *.example.com`,
    );
  return isWildcard ? WILDCARD + domain : domain;
}

/** Returns the domain that a name is about: `example.com` for `*.example.com`. */
export const withoutWildcard = (domainName: string): string =>
  domainName.startsWith(WILDCARD) ? domainName.slice(WILDCARD.length) : domainName;

/** Returns the domain one label above: `example.com` for `pumps.example.com` and for `*.example.com`. */
export const parentOf = (domainName: string): string => domainName.slice(domainName.indexOf('.') + 1);

/** Throws 400 if the domain is the host of the platform, covers it, or is below it, as slugs are. */
export function assertNotOfPlatform(domainName: string, platform: string): void {
  if (covers(domainName, platform) || `.${domainName}`.endsWith(`.${platform}`))
    throw new ValidationError(`${FIELD}.domainName belongs to the platform`);
}

/** Returns the texts to read; `undefined` if the domain has no certificate. Throws 400 if one of them is missing. */
export function pemChainOf({ sslCert, sslKey, sslBundle }: DomainCertificate): PemChain | undefined {
  if (!sslCert && (sslKey || sslBundle))
    throw new ValidationError(`${FIELD}.sslCert is required with a key or bundle`);
  if (!sslCert) return undefined;
  if (!sslKey) throw new ValidationError(`${FIELD}.sslKey is required with a certificate`);
  return {
    certificate: { pem: sslCert, at: `${FIELD}.sslCert` },
    key: { pem: sslKey, at: `${FIELD}.sslKey` },
    ...(sslBundle ? { bundle: { pem: sslBundle, at: `${FIELD}.sslBundle` } } : {}),
  };
}

/** Throws 400 unless a server of the domain could authenticate with the certificate now. */
export function assertServes(
  domainName: string,
  { certificates: [certificate, ...more], hasKey, bundle }: CertificateChain,
): void {
  if (!certificate || more.length)
    throw new ValidationError(
      `${FIELD}.sslCert must be exactly one certificate; intermediate certificates belong in the bundle`,
    );
  checkOfServer(certificate, domainName);
  if (!hasKey) throw new ValidationError(`${FIELD}.sslKey must be the key of the certificate`);
  for (const [i, { certificate: signer, signedPrevious }] of bundle.entries())
    if (!signer.isAuthority || !signedPrevious)
      throw new ValidationError(
        `${FIELD}.sslBundle: certificate ${i + 1} did not sign ${i === 0 ? 'sslCert' : `certificate ${i}`}`,
      );
}

function checkOfServer(certificate: Certificate, domainName: string): void {
  if (certificate.isAuthority && !certificate.isSelfSigned)
    throw new ValidationError(`${FIELD}.sslCert must be a domain certificate, not a certificate authority`);
  if (certificate.extendedKeyUsage?.includes(SERVER_AUTH) === false)
    throw new ValidationError(
      `${FIELD}.sslCert must be a server certificate: its extendedKeyUsage lacks serverAuth`,
    );
  if (!isValidAt(certificate, new Date()))
    throw new ValidationError(
      `${FIELD}.sslCert must be valid now; it is valid from ${certificate.info.notValidBefore} until ${certificate.info.notValidAfter}`,
    );
  if (!certificate.domains.some((name) => covers(name, domainName)))
    throw new ValidationError(`${FIELD}.sslCert must include ${domainName} in its names (subjectAltName)`);
}

/** Whether a name of a certificate covers the domain. A wildcard in it covers one label. */
export function covers(name: string, domainName: string): boolean {
  if (name === domainName) return true;
  return (
    name.startsWith(WILDCARD) &&
    !domainName.startsWith(WILDCARD) &&
    name.slice(1) === domainName.slice(domainName.indexOf('.'))
  );
}
