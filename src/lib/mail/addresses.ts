import { ValidationError } from '../errors/errors.js';

// External identifiers are compared in lower case. Lower-casing can map different addresses to the same one: U+212A
// becomes `k`. The rule therefore accepts only ASCII and is applied before lower-casing.

export const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
export const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** Rule for e-mail addresses from all sources; `format: email` in the API document. */
export const ADDRESS = new RegExp(`^(?=.{3,1024}$)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`);
/** Rule for the domains of e-mail addresses. */
export const DOMAIN = new RegExp(`^(?=.{3,45}$)(?:${LABEL}\\.)+${LABEL}$`);

export const isAddress = (text: string): boolean => ADDRESS.test(text);

/**
 * Returns the canonical form of an e-mail address, used for storage and comparison, or `undefined` if it is invalid.
 */
export const canonicalAddress = (text: string): string | undefined =>
  isAddress(text) ? text.toLowerCase() : undefined;

/** Works like `canonicalAddress`, but throws a `ValidationError` that names `field` if the address is invalid. */
export function parseAddress(text: string, field: string): string {
  const address = canonicalAddress(text);
  if (address === undefined) throw new ValidationError(`${field} must be an email address`);
  return address;
}

/** Returns the domain of a canonical address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Returns the canonical form of an e-mail domain, used for storage and comparison, or `undefined` if it is invalid. */
export const canonicalDomain = (text: string): string | undefined =>
  DOMAIN.test(text) ? text.toLowerCase() : undefined;
