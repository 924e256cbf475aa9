import { canonicalDomain } from '../../../lib/mail/addresses.js';
import { certificatesOf, type Certificate } from '../../../platform/certificates/certificate.js';
import { privateKeyOf } from '../../../lib/crypto/private-key.js';
import { ExtendedKeyUsageExtension } from '../../../lib/crypto/x509.js';
import { ValidationError } from '../../../lib/errors/errors.js';

const AT = 'experienceDomain';
const WILDCARD = '*.';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
/** What ends in digits is an address, not a name. */
const TOP_LEVEL = /\.[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** What a domain proves itself with: all of it, or nothing. */
export interface DomainCertificate {
  sslCert?: string | null;
  sslKey?: string | null;
  sslBundle?: string | null;
}

/** A domain in the form in which domains are kept and compared, or 400. */
export function domainNameOf(text: string): string {
  const isWildcard = text.startsWith(WILDCARD);
  const domain = canonicalDomain(isWildcard ? text.slice(WILDCARD.length) : text);
  // What a wildcard would stand for has a name of its own, so a top-level domain has none below it to give away.
  if (domain === undefined || !TOP_LEVEL.test(domain))
    throw new ValidationError(`${AT}.domainName must be a domain such as pumps.example.com or *.example.com`);
  return isWildcard ? WILDCARD + domain : domain;
}

/** Throws 400 unless a server of that domain could prove itself with it now. */
export function checkCertificate(
  domainName: string,
  { sslCert, sslKey, sslBundle }: DomainCertificate,
): void {
  if (!sslCert && (sslKey || sslBundle))
    throw new ValidationError(`${AT}.sslCert is required beside a key or bundle`);
  if (!sslCert) return;
  if (!sslKey) throw new ValidationError(`${AT}.sslKey is required beside a certificate`);
  const [certificate, ...more] = certificatesOf(sslCert, `${AT}.sslCert`);
  if (!certificate || more.length)
    throw new ValidationError(`${AT}.sslCert must be exactly one certificate: those above it are the bundle`);
  checkOfServer(certificate, domainName);
  if (!certificate.hasKey(privateKeyOf(sslKey, `${AT}.sslKey`)))
    throw new ValidationError(`${AT}.sslKey must be the key of the certificate`);
  if (sslBundle) checkChain(certificate, certificatesOf(sslBundle, `${AT}.sslBundle`));
}

function checkOfServer(certificate: Certificate, domainName: string): void {
  if (certificate.isAuthority)
    throw new ValidationError(`${AT}.sslCert must be of a domain, and this is of an authority`);
  const usage = certificate.extension(ExtendedKeyUsageExtension);
  if (usage && !usage.usages.includes(SERVER_AUTH))
    throw new ValidationError(
      `${AT}.sslCert must be for servers, and its extendedKeyUsage has no serverAuth`,
    );
  if (!certificate.isValidAt(new Date()))
    throw new ValidationError(
      `${AT}.sslCert must be valid now, and is from ${certificate.info.notValidBefore} until ${certificate.info.notValidAfter}`,
    );
  if (!certificate.domains.some((name) => covers(name, domainName)))
    throw new ValidationError(`${AT}.sslCert must have ${domainName} among its names (subjectAltName)`);
}

/** Each certificate of a bundle is of an authority that signed the one before it. */
function checkChain(certificate: Certificate, bundle: readonly Certificate[]): void {
  let signed = certificate;
  for (const [i, signer] of bundle.entries()) {
    if (!signer.isAuthority || !signed.isSignedBy(signer))
      throw new ValidationError(
        `${AT}.sslBundle: certificate ${i + 1} did not sign ${i === 0 ? 'sslCert' : `certificate ${i}`}`,
      );
    signed = signer;
  }
}

/** Whether a name of a certificate is that of the domain; a wildcard of it stands for one label. */
export function covers(name: string, domainName: string): boolean {
  if (name === domainName) return true;
  return (
    name.startsWith(WILDCARD) &&
    !domainName.startsWith(WILDCARD) &&
    name.slice(1) === domainName.slice(domainName.indexOf('.'))
  );
}
