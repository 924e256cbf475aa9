import { isURL } from 'class-validator';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { SsoDomain } from '../modules/accounts/auth/auth.resource.js';
import { canonicalDomain } from '../lib/mail/addresses.js';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const RSA_KEYS = ['rsa', 'rsa-pss'];

/** Settings of an identity provider, as entered by the operator. */
export interface SsoSettings {
  entryPoint: string;
  issuer: string;
  certificateFiles: readonly string[];
  acsUrl?: string;
}

export type SsoProvider = Omit<SsoDomain, 'creationDate'>;

/** Validates the settings of the provider of `domain`. Throws an error with a message for the operator. */
export function ssoProvider(domain: string, settings: SsoSettings): SsoProvider {
  if (!settings.issuer.trim()) throw new Error('The issuer must not be blank.');
  return {
    domain: parseDomain(domain),
    entryPoint: parseUrl('entry point', settings.entryPoint),
    issuer: settings.issuer,
    acsUrl: settings.acsUrl === undefined ? null : parseUrl('ACS URL', settings.acsUrl),
    certificates: settings.certificateFiles.map(readCertificate),
  };
}

/** Returns an e-mail domain in lower case. Throws an error with a message for the operator if the domain is invalid. */
export function parseDomain(text: string): string {
  const domain = canonicalDomain(text);
  if (domain === undefined) {
    throw new Error(`"${text}" is not an email domain such as example.com of at most 45 characters.`);
  }
  return domain;
}

/** Returns warnings about expired or not yet valid certificates of a provider. */
export function certificateWarnings({ domain, certificates }: SsoProvider, now = new Date()): string[] {
  return certificates.flatMap((pem) => {
    const { subject, validTo, validFrom } = new X509Certificate(pem);
    const name = `A certificate of ${domain} (${subject.replaceAll('\n', ', ')})`;
    if (new Date(validTo) < now) return [`${name} has expired: it was valid until ${validTo}.`];
    if (new Date(validFrom) > now) return [`${name} is not valid yet: it becomes valid on ${validFrom}.`];
    return [];
  });
}

/** Stores the provider of a domain, replacing an existing one; `replaced` is `true` if one existed. */
export async function addSsoProvider(
  dataSource: DataSource,
  provider: SsoProvider,
): Promise<{ replaced: boolean }> {
  return dataSource.transaction(async (manager) => {
    const replaced = await manager.existsBy(SsoDomain, { domain: provider.domain });
    await manager.upsert(SsoDomain, { ...provider, creationDate: new Date() }, ['domain']);
    return { replaced };
  });
}

/**
 * Removes the provider of a domain and returns the number of users who signed in through it. Throws if it does not
 * exist.
 */
export async function removeSsoProvider(dataSource: DataSource, domain: string): Promise<number> {
  return dataSource.transaction(async (manager) => {
    const { affected } = await manager.delete(SsoDomain, { domain });
    if (!affected) throw new Error(`${domain} has no single sign-on.`);
    const linked = `SELECT count(*)::int AS users FROM users WHERE sso_linked AND permanent_deletion IS NULL AND split_part(email, '@', -1) = $1`;
    const [row] = await manager.query<{ users: number }[]>(linked, [domain]);
    return row?.users ?? 0;
  });
}

/** Returns all providers, sorted by domain. */
export function listSsoProviders(dataSource: DataSource): Promise<SsoDomain[]> {
  return dataSource.manager.find(SsoDomain, { order: { domain: 'ASC' } });
}

function parseUrl(what: string, text: string): string {
  if (!isURL(text, { require_tld: false, require_protocol: true, protocols: ['http', 'https'] })) {
    throw new Error(`The ${what} "${text}" is not an http or https URL.`);
  }
  return text;
}

/** Reads a PEM file that must contain exactly one certificate; discards all other contents. */
function readCertificate(file: string): string {
  const certificates = readText(file).match(PEM) ?? [];
  if (certificates.length !== 1) {
    throw new Error(
      `${file} must contain one certificate in PEM format, but contains ${certificates.length || 'none'}.`,
    );
  }
  const certificate = parse(file, certificates[0]);
  const { asymmetricKeyType } = certificate.publicKey;
  if (!RSA_KEYS.includes(asymmetricKeyType ?? '')) {
    throw new Error(`${file} is for a key of type ${asymmetricKeyType}; only RSA signatures are accepted.`);
  }
  return certificate.toString();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function parse(file: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new Error(`${file} is not an X.509 certificate.`);
  }
}
